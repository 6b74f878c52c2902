// SPDX-License-Identifier: Apache-2.0
//
// A conversation with a running daemon over its admin socket.
//
// Not here: what is said (wire), and what the answers mean (the verbs).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ctl/answer_shape.hpp"
#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Why there is no answer.
struct NoAnswer {
  Exit exit = Exit::unreachable;
  std::string what;  // a sentence
  std::string help;
};

/// One request at a time. One thread.
class DaemonClient {
 public:
  /// Whether to go on waiting after that message.
  using OnProgress = std::function<bool(const wire::Json&)>;

  /// Connects to the first of `places` where anybody listens. `patience` is for the whole
  /// conversation.
  static base::Result<DaemonClient, NoAnswer> connect(const std::vector<std::string>& places,
                                                      std::chrono::nanoseconds patience);
  DaemonClient(DaemonClient&&) noexcept;
  ~DaemonClient();

  /// Sends a request and waits for its reply, whose result has that shape if its status is 0. When
  /// `on_progress` does not want to wait any longer the answer is a reply without result and
  /// status 0.
  base::Result<wire::Reply, NoAnswer> ask(const std::string& verb, wire::Json arguments,
                                          const AnswerShape& shape,
                                          const OnProgress& on_progress = {});

  /// What answers there is no daemon of this version.
  static NoAnswer not_understood(const std::string& why);

 private:
  class Connection;
  explicit DaemonClient(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

/// Where the daemon of a call may be, in the order of looking: --socket, else $ACTORD_SOCKET, else
/// that of the service and that of the user's own.
std::vector<std::string> socket_places(const Call& call);

/// The daemon that the call is about, or nothing and a complaint on standard error.
std::optional<DaemonClient> connect(const Call& call, Exit& exit);

/// Whether the reply is what was asked for; otherwise says why not: on standard error, findings
/// with their places, or with -o json everything on standard output.
bool settle(const Call& call, const base::Result<wire::Reply, NoAnswer>& reply, Exit& exit);

}  // namespace actord::ctl
