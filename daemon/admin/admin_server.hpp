// SPDX-License-Identifier: Apache-2.0
//
// The admin socket: who may connect, how many at once, and a session for each.
//
// A client is root, the daemon's own user, or a member of the socket's group; the mode of the
// socket says the same, and this says it again for the case that somebody has changed it. Who is
// refused is told of in an event `admin.denied`. Not here: what is said (admin_session.hpp, wire),
// and what it does (app).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "admin/admin_session.hpp"
#include "base/result.hpp"
#include "log/hub.hpp"
#include "os/system_error.hpp"

namespace actord::admin {

struct ServerLimits {
  std::size_t clients_max = 64;
  std::chrono::milliseconds patience{10'000};  // for a request to come, and for a reply to be read
};

/// The loop's thread.
class Server {
 public:
  /// Both outlive it. `handler` is asked for every request.
  Server(boost::asio::io_context& loop, log::Hub& hub, Handler handler, ServerLimits limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Makes the socket and accepts clients as soon as the loop runs; errors as of os::listen_at().
  base::Result<void, os::SystemError> open(const std::string& path);
  /// Lets all clients go and removes the socket. Once; the loop may end then.
  void close();

 private:
  using Protocol = boost::asio::local::stream_protocol;

  void accept();
  void admit(Protocol::socket socket);
  void make_room();
  bool may_talk(int socket, const os::Peer& peer) const;
  void tell_of_denied(const os::Peer& peer);

  boost::asio::io_context& loop_;
  log::Hub& hub_;
  const Handler handler_;
  const ServerLimits limits_;
  std::string path_;
  Protocol::acceptor acceptor_;
  boost::asio::steady_timer again_;                // after an accept that failed
  std::vector<std::shared_ptr<Session>> clients_;  // the longest connected first
};

}  // namespace actord::admin
