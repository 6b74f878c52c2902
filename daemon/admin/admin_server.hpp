// SPDX-License-Identifier: Apache-2.0
//
// The admin socket: decides which clients may connect and how many at once, and keeps a session
// for each.
//
// A client may connect as root, as the daemon's own user, or as a member of the socket's group.
// The socket's mode enforces the same rule; the server checks it again in case the mode was
// changed. A rejected client is logged as event `admin.denied`, and a failed accept as event
// `admin.accept-failed`. Not here: the protocol (admin_session.hpp, wire) and what the requests do
// (app).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admin/admin_session.hpp"
#include "base/result.hpp"
#include "log/hub.hpp"
#include "os/descriptor.hpp"
#include "os/event_loop.hpp"
#include "os/system_error.hpp"

namespace actord::admin {

struct ServerLimits {
  std::size_t clients_max = 64;
  std::size_t clients_per_user_max = 48;  // so that one user does not keep the others out
  // how long a request may take to arrive, and a reply to be read
  std::chrono::milliseconds client_timeout{10'000};
};

/// Threads: only that of its loop, and before the loop runs any other.
class Server {
 public:
  /// `loop` and `hub` outlive the server. `handler` is called for every request.
  Server(os::EventLoop& loop, log::Hub& hub, Handler handler, ServerLimits limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Creates the socket and accepts clients as soon as the loop runs. Errors: see os::listen_at().
  base::Result<void, os::SystemError> open(const std::string& path);
  /// The same with a socket that listens at `path` already and belongs to the service manager.
  void open(os::Descriptor listening, const std::string& path);
  /// Disconnects all clients, and removes the socket if it is the server's own. Afterwards the loop
  /// may end.
  void close();

 private:
  struct Acceptor;

  void accept();
  /// Starts a session for the client, or rejects it.
  void admit(os::Descriptor socket);
  /// Closes the client that is connected the longest and has no request in progress, if there is
  /// one among those for which `is_meant` is true.
  template <class IsMeant>
  void close_idle_client(IsMeant is_meant);
  std::size_t clients_of(uid_t user) const;
  /// Whether the client's user or group may use the socket.
  bool is_allowed(const os::Peer& peer) const;
  void log_denied(const os::Peer& peer);
  void log_accept_failure(const std::string& error);

  os::EventLoop& loop_;
  log::Hub& hub_;
  const Handler handler_;
  const ServerLimits limits_;
  std::string path_;
  bool is_passed_ = false;  // the socket is the service manager's
  const std::unique_ptr<Acceptor> acceptor_;
  os::Timer retry_timer_;  // pause after a failed accept
  // time of the last line about a failed accept, on the monotonic clock
  std::optional<std::int64_t> failure_logged_ns_;
  // ordered by time of connection, the oldest first
  std::vector<std::shared_ptr<Session>> clients_;
};

}  // namespace actord::admin
