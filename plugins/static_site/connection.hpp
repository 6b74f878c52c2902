// SPDX-License-Identifier: Apache-2.0
//
// The actor of one connection: it takes the requests one by one, injects the configured faults, and
// answers. When the actor stops, the socket is closed; when the socket closes, the actor stops.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "document_root.hpp"
#include "faults.hpp"
#include "http_server.hpp"
#include "site_messages.hpp"

namespace static_site {

/// What all connections of one incarnation of a site share. The site stops the server; the calls of
/// a connection after that are ignored.
struct Service {
  std::shared_ptr<HttpServer> server;
  std::shared_ptr<const DocumentRoot> root;
  FaultPlan faults;
  std::chrono::milliseconds latency{0};
  std::string charset;  // of texts that tell none
};

class Connection : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Answers the requests of one HTTP connection.";

  Connection(std::uint64_t id, const Service& service) : id_(id), service_(service) {}

  void pre_start(actord::Context& ctx) override;
  void post_stop(actord::Context& ctx) override;

  void request(actord::Context& ctx, const Request& m);
  void answer_due(actord::Context& ctx, const AnswerDue&);
  void closed(actord::Context& ctx, const Closed&);

  using Receive =
      actord::Handlers<&Connection::request, &Connection::answer_due, &Connection::closed>;

 private:
  void answer(actord::Context& ctx, const Request& request);

  const std::uint64_t id_;
  const Service service_;
  std::optional<Request> delayed_;
};

}  // namespace static_site
