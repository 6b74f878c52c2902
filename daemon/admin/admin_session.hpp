// SPDX-License-Identifier: Apache-2.0
//
// One client at the admin socket: one request after the other, each answered before the next is
// read.
//
// A client that says nothing, says half of something, or does not read what it is told, is let go
// after a while; one that does not keep to the protocol is told so and let go at once. Not here:
// who may connect (admin_server.hpp), and what the requests mean (app).
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "os/local_socket.hpp"
#include "wire/control_message.hpp"
#include "wire/frame.hpp"

namespace actord::admin {

class Session;

/// How a request is answered: progress any number of times, then the reply, once. Copies speak for
/// the same request. Without effect once the client is gone. The loop's thread.
class Respond {
 public:
  Respond(std::weak_ptr<Session> session, std::uint64_t request) noexcept
      : session_(std::move(session)), request_(request) {}

  void progress(wire::Json what) const;
  /// The id is put in here.
  void reply(wire::Reply reply) const;

 private:
  std::weak_ptr<Session> session_;
  std::uint64_t request_;
};

/// Called on the loop's thread; may answer at once or later.
using Handler = std::function<void(const wire::Request&, const os::Peer&, const Respond&)>;

/// The loop's thread. Its callbacks keep it alive until the connection is closed.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;

  /// `handler` outlives the loop's last turn.
  Session(Socket socket, os::Peer peer, std::chrono::milliseconds patience, const Handler& handler);

  /// Reads requests until the end.
  void start();
  /// Says that one thing, if it can be said at once, and closes.
  void refuse(int status, std::string why);
  void close();

  bool is_closed() const noexcept { return !socket_.is_open(); }
  /// Nothing is asked of the daemon just now.
  bool is_waiting() const noexcept { return !is_working_ && outbox_.empty(); }

 private:
  friend class Respond;

  void read();
  void take_requests();
  void send(std::string frame);
  void write();
  void watch();
  void finish(wire::Reply reply);

  Socket socket_;
  const os::Peer peer_;
  const std::chrono::milliseconds patience_;
  const Handler& handler_;
  boost::asio::steady_timer watch_;  // over whatever the client has to do next
  wire::FrameReader reader_;
  std::array<char, 16384> buffer_{};
  std::deque<std::string> outbox_;  // the first is being written
  std::size_t outbox_bytes_ = 0;
  bool is_working_ = false;  // a request waits for its reply
  bool is_last_word_said_ = false;
};

}  // namespace actord::admin
