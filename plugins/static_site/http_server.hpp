// SPDX-License-Identifier: Apache-2.0
//
// The listening socket, the I/O thread and the list of open connections. It depends neither on
// files nor on actors: it calls event functions on its own thread, and takes answers from any
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "http_exchange.hpp"

namespace static_site {

/// The events of the server. The functions are called on the I/O thread and must not block.
class ServerEvents {
 public:
  virtual ~ServerEvents() = default;
  /// A client has connected. Nothing is read from the connection before attach().
  virtual void accepted(std::uint64_t connection, std::string_view peer) = 0;
  /// Accepting fails, for instance because no descriptors are left. Called once until it works
  /// again; the server tries on.
  virtual void accepting_failed(std::string_view reason) = 0;
  /// The I/O thread has ended with an exception: the server no longer works.
  virtual void failed(std::string_view reason) = 0;
};

/// The HTTP server. Threads: one owner calls start(), stop() and the destructor. Functions that
/// take the number of a connection may be called on any thread, before, during and after stop().
/// They ignore an unknown number, except attach(), which then reports the connection as closed
/// unless the server has stopped.
class HttpServer {
 public:
  struct Options {
    std::string host = "127.0.0.1";  // "localhost" or an address of the loopback network
    std::uint16_t port = 0;          // 0: any free port
    std::chrono::milliseconds idle_timeout{30'000};
    std::size_t max_connections = 256;      // further ones wait to be accepted
    std::chrono::milliseconds grace{1000};  // time that stop() gives to answers being written
  };

  /// Whether `host` is "localhost" or an address of the loopback network.
  static bool is_loopback(const std::string& host);

  /// Listens, and accepts nothing before start(). Throws std::invalid_argument if the host is not a
  /// loopback address, and std::system_error, which names host:port, if it cannot listen.
  explicit HttpServer(const Options& options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// The address and the port on which it listens.
  const std::string& address() const { return address_; }
  std::uint16_t port() const { return port_; }

  /// Starts the I/O thread and accepts connections.
  void start(std::unique_ptr<ServerEvents> events);
  /// Frees the port, closes all connections and joins the thread: no event comes afterwards. Blocks
  /// for at most Options::grace. May be called again.
  void stop();

  /// Begins to read requests; they go to `events`.
  void attach(std::uint64_t connection, std::unique_ptr<ConnectionEvents> events);
  /// Answers the current request.
  void answer(std::uint64_t connection, Reply reply);
  /// Closes the connection after the answer that is being written, if any.
  void finish(std::uint64_t connection);
  /// Closes the connection by a TCP reset.
  void reset(std::uint64_t connection);

 private:
  struct Io;

  std::unique_ptr<Io> io_;
  std::string address_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace static_site
