// SPDX-License-Identifier: Apache-2.0
//
// The listening socket, the I/O thread and the list of open connections. Knows nothing of files or
// actors: it tells events on its own thread and takes answers from any.
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

/// What concerns the server as a whole. Called on the I/O thread, must not block.
class ServerEvents {
 public:
  virtual ~ServerEvents() = default;
  /// Nothing is read from the connection until somebody attaches to it.
  virtual void accepted(std::uint64_t connection, std::string_view peer) = 0;
  /// Told once when accepting begins to fail (no descriptors left, say); it is tried again.
  virtual void accepting_failed(std::string_view reason) = 0;
  /// The I/O thread has ended by an exception: the server is of no more use.
  virtual void failed(std::string_view reason) = 0;
};

/// Threads: start(), stop() and destruction by one owner; what takes a connection's number from any
/// thread, before, during and after stop(). A number that is no longer known is ignored, except
/// that attach() then reports the connection as closed; after stop() that is ignored too.
class HttpServer {
 public:
  struct Options {
    std::string host = "127.0.0.1";  // "localhost" or an address of the loopback network
    std::uint16_t port = 0;          // 0: any that is free
    std::chrono::milliseconds idle_timeout{30'000};
    std::size_t max_connections = 256;      // more wait to be accepted
    std::chrono::milliseconds grace{1000};  // how long stop() lets answers be written to their end
  };

  static bool is_loopback(const std::string& host);

  /// Listens, but accepts nothing before start(). Throws std::invalid_argument for a host that is
  /// not loopback, std::system_error naming host:port when it cannot listen there.
  explicit HttpServer(const Options& options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  const std::string& address() const { return address_; }
  std::uint16_t port() const { return port_; }

  void start(std::unique_ptr<ServerEvents> events);
  /// Frees the port, closes all connections and joins the thread: no event is told afterwards.
  /// Blocks for Options::grace at most. May be called again.
  void stop();

  void attach(std::uint64_t connection, std::unique_ptr<ConnectionEvents> events);
  void answer(std::uint64_t connection, Reply reply);
  void finish(std::uint64_t connection);
  void reset(std::uint64_t connection);

 private:
  struct Io;

  std::unique_ptr<Io> io_;
  std::string address_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace static_site
