// SPDX-License-Identifier: Apache-2.0
//
// One client at the admin socket. Requests are handled one after the other: the next one is read
// after the reply to the previous one.
//
// A client that sends no complete request, or does not read its replies, is disconnected after a
// time limit. A client that violates the protocol gets an error reply and is disconnected. Not
// here: which clients may connect (admin_server.hpp), and what the requests mean (app).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "admin/peer_fields.hpp"
#include "os/descriptor.hpp"
#include "os/event_loop.hpp"
#include "wire/control_message.hpp"
#include "wire/frame.hpp"

namespace actord::admin {

class Session;

/// Answers one request: any number of progress messages, then one reply. Copies answer the same
/// request. Calls have no effect after the client has disconnected. Threads: any, while the loop of
/// the session exists.
class Responder {
 public:
  Responder(std::weak_ptr<Session> session, std::uint64_t request) noexcept
      : session_(std::move(session)), request_(request) {}

  void progress(wire::Json what) const;
  /// Whether the client may still wait for the reply. One that is gone is noticed when progress is
  /// sent to it.
  bool is_wanted() const noexcept { return !session_.expired(); }
  /// Sets the reply's id to that of the request.
  void reply(wire::Reply reply) const;

 private:
  std::weak_ptr<Session> session_;
  std::uint64_t request_;
};

/// Called on the thread of the session's loop. The handler may answer at once or later.
using Handler = std::function<void(const wire::Request&, const PeerFields&, const Responder&)>;

/// Threads: only that of its loop. Pending callbacks keep the session alive until the connection
/// closes.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `handler` outlives the loop.
  Session(os::EventLoop& loop, os::Descriptor socket, const os::Peer& peer,
          std::chrono::milliseconds timeout, const Handler& handler);
  ~Session();

  /// Reads requests until the connection is closed.
  void start();
  /// Queues one reply with id 0, reads no more requests, and closes when the reply has been
  /// written.
  void close_with_error(int status, std::string why);
  void close();

  const os::Peer& peer() const noexcept { return peer_.peer(); }
  bool is_closed() const noexcept;
  /// No request is in progress, and no reply waits to be written.
  bool is_idle() const noexcept { return !is_handling_ && outbox_.empty(); }

 private:
  friend class Responder;
  struct Socket;

  void read();
  void handle_next_request();
  void send(std::string frame);
  void write();
  void restart_deadline();
  void finish(const wire::Reply& reply);

  os::EventLoop& loop_;
  const std::unique_ptr<Socket> socket_;
  const PeerFields peer_;
  const std::chrono::milliseconds timeout_;
  const Handler& handler_;
  // time limit for the client's next step: to send a request, or to read what was sent
  os::Timer deadline_;
  wire::FrameReader reader_;
  std::deque<std::string> outbox_;  // frames to be written; the first one is being written
  std::size_t outbox_bytes_ = 0;
  bool is_handling_ = false;  // a request was handed to the handler and has no reply yet
  bool is_closing_ = false;
};

}  // namespace actord::admin
