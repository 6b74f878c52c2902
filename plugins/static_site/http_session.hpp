// SPDX-License-Identifier: Apache-2.0
//
// One client's connection, seen from the socket: reads a request head, waits for the answer, writes
// it, starts over. Decides nothing about what is served; keeps to one request at a time.
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

/// Threads: the I/O thread only. Lives as long as an operation is pending or the server lists it.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  /// Longest request line and headers together; more is answered with 431.
  static constexpr std::uint32_t header_limit_bytes = 8192;

  struct Surroundings {
    /// How long a client may take for its next request, and for taking each part of an answer.
    std::chrono::milliseconds idle_timeout;
    AskTally& tally;
    std::function<void(std::uint64_t id)> on_gone;  // after everything else
  };

  /// `surroundings` must outlive the session.
  HttpSession(std::uint64_t id, boost::asio::ip::tcp::socket socket,
              const Surroundings& surroundings);
  ~HttpSession();

  /// Starts the clock: if nobody attaches within the idle timeout the connection is closed.
  void wait_for_answerer();
  /// From now on requests are read and told to `events`.
  void attach(std::unique_ptr<ConnectionEvents> events);
  /// Ignored unless a request waits for it.
  void answer(Reply reply);
  /// Closes, but lets an answer that is being written come to its end.
  void finish();
  /// Closes by a TCP reset, as a crashed server would.
  void reset();

 private:
  enum class Phase { unattended, reading, answering, writing, lingering, closed };
  struct Wire;

  void read();
  void take_request();
  void refuse(std::uint16_t problem);
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
  const Surroundings& surroundings_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  std::unique_ptr<ConnectionEvents> events_;
  std::unique_ptr<Wire> wire_;
  Phase phase_ = Phase::unattended;
  // Of the request being answered:
  unsigned version_ = 11;
  bool is_head_ = false;
  bool keeps_alive_ = false;
};

}  // namespace static_site
