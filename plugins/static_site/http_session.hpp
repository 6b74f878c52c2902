// SPDX-License-Identifier: Apache-2.0
//
// One connection: reads a request head, waits for the answer, writes it, and begins again. It
// handles one request at a time. Not here: what is served (responder.hpp).
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "faults.hpp"
#include "http_exchange.hpp"

namespace static_site {

/// A session exists as long as an operation is pending or the server lists it. Threads: the I/O
/// thread only.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  /// Limit for request line and headers together, in bytes; beyond it the answer is 431.
  static constexpr std::uint32_t header_limit_bytes = 8192;

  /// What a session needs of the server.
  struct ServerContext {
    /// Time that a client may need for its next request, and for each piece of an answer.
    std::chrono::milliseconds idle_timeout;
    RequestCounter& request_counter;
    std::function<void(std::uint64_t id)> on_gone;  // called last
  };

  /// `server_context` must outlive the session.
  HttpSession(std::uint64_t id, boost::asio::ip::tcp::socket socket,
              const ServerContext& server_context);
  ~HttpSession();

  /// Closes the connection if attach() is not called within the idle timeout.
  void wait_for_attach();
  /// Begins to read requests; they go to `events`.
  void attach(std::unique_ptr<ConnectionEvents> events);
  /// Answers the current request; ignored if there is none.
  void answer(Reply reply);
  /// Closes the connection after the answer that is being written, if any.
  void finish();
  /// Closes the connection by a TCP reset, as when a server crashes.
  void reset();

 private:
  enum class Phase { unattached, reading, answering, writing, lingering, closed };
  struct Buffers;

  void read();
  void take_request();
  void reject(std::uint16_t problem);
  template <class Body>
  void send(Reply reply);
  template <class Outgoing>
  void write(std::shared_ptr<Outgoing> outgoing);
  void written();
  void linger();
  void drain();
  void close(std::string_view reason);
  void arm(std::chrono::milliseconds timeout);
  void disarm();

  const std::uint64_t id_;
  const ServerContext& server_context_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  std::unique_ptr<ConnectionEvents> events_;
  std::unique_ptr<Buffers> buffers_;
  Phase phase_ = Phase::unattached;
  // These three describe the current request.
  unsigned version_ = 11;
  bool is_head_ = false;
  bool keeps_alive_ = false;
};

}  // namespace static_site
