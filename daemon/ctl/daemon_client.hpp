// SPDX-License-Identifier: Apache-2.0
//
// A connection to a running daemon over its admin socket.
//
// Not here: the protocol (wire), and the meaning of the answers (the verbs).
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
  std::string what;  // one sentence
  std::string help;
};

/// Sends one request at a time. Used by one thread.
class DaemonClient {
 public:
  /// Called for each progress message; false: do not wait for the reply.
  using OnProgress = std::function<bool(const wire::Json&)>;

  /// Connects to the first of `paths` where a process listens. `timeout` limits the whole
  /// conversation.
  static base::Result<DaemonClient, NoAnswer> connect(const std::vector<std::string>& paths,
                                                      std::chrono::nanoseconds timeout);
  DaemonClient(DaemonClient&&) noexcept;
  ~DaemonClient();

  /// Later calls of ask() do not wait any longer when the descriptor can be read.
  void wait_until_readable(int fd);
  /// Each progress message begins the timeout anew.
  void wait_on_while_there_is_progress();
  /// Sends a request and waits for its reply. A reply with status 0 has a result of the given
  /// shape. If `on_progress` returns false, or the descriptor can be read, the reply returned has
  /// the id 0, no result and status 0.
  base::Result<wire::Reply, NoAnswer> ask(const std::string& verb, wire::Json arguments,
                                          const AnswerShape& shape,
                                          const OnProgress& on_progress = {});

  /// The error that the peer is no daemon of this version.
  static NoAnswer not_understood(const std::string& why);

 private:
  class Connection;
  explicit DaemonClient(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

/// Sockets of the daemon in the order of trying: --socket, else $ACTORD_SOCKET, else that of the
/// service and that of the user's own daemon.
std::vector<std::string> socket_paths(const Call& call);

/// How long the daemon may wait for an actor, so that its answer comes within --timeout.
std::chrono::milliseconds timeout_of_daemon(const Call& call);

/// Connects to the daemon of the call; nullopt after reporting the failure.
std::optional<DaemonClient> connect(const Call& call, Exit& exit);

/// Connects to the daemon of the call, asks it once, and returns the result; nullopt after
/// reporting the failure.
std::optional<wire::Json> ask_daemon(const Call& call, const std::string& verb,
                                     wire::Json arguments, const AnswerShape& shape, Exit& exit);

/// Whether the reply has status 0; otherwise sets `exit` and reports the failure: on standard error
/// with the findings, or with -o json on standard output.
bool check_reply(const Call& call, const base::Result<wire::Reply, NoAnswer>& reply, Exit& exit);

}  // namespace actord::ctl
