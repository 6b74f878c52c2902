// SPDX-License-Identifier: Apache-2.0
//
// The actor that serves a folder over HTTP on this machine. It owns the listening socket and the
// I/O thread, and has a child for each connection. The children answer the requests.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "connection.hpp"
#include "site_messages.hpp"

namespace static_site {

/// Faults on purpose, for tests of clients. The same seed and requests give the same faults.
struct FaultConfig {
  std::chrono::milliseconds latency{0};
  double error_rate = 0;
  double reset_rate = 0;
  std::uint64_t seed = 1;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(FaultConfig, latency, error_rate, reset_rate, seed)

struct SiteConfig {
  actord::Required<std::string> root;
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::chrono::milliseconds idle_timeout{30'000};
  std::uint32_t max_connections = 256;
  std::string charset;
  FaultConfig faults;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(SiteConfig, root, host, port, idle_timeout, max_connections, charset, faults)

class Site : public actord::Actor {
 public:
  using Config = SiteConfig;
  static constexpr std::string_view doc = "Serves a folder over HTTP/1.1, to this machine only.";

  /// Stops a connection that fails: its client connects again.
  static actord::Strategy supervision();

  /// Rejects hosts beyond the loopback network, and shares of faults beyond 1 together.
  static void validate(const Config& config, actord::Findings& findings);

  explicit Site(const Config& config) : config_(config) {}
  ~Site() override;

  /// Throws std::system_error if the folder cannot be read or the port cannot be used.
  void pre_start(actord::Context& ctx) override;
  void post_stop(actord::Context& ctx) override;

  void accepted(actord::Context& ctx, const Accepted& m);
  void server_failed(const ServerFailed& m);

  using Receive = actord::Handlers<&Site::accepted, &Site::server_failed>;

 private:
  Config config_;
  Service service_;
  std::uint64_t server_ = 0;  // number of the server of this incarnation
};

}  // namespace static_site
