// SPDX-License-Identifier: Apache-2.0
//
// The thread that serves HTTP: it reads, parses and writes, so that no client keeps the event loop
// from a signal. Each request is answered on the event loop, so an answer shows that it runs.
//
// Not here: the server and its clients (web), and the answers (http_answers.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/loop_thread.hpp"
#include "os/event_loop.hpp"
#include "os/passed_sockets.hpp"
#include "web/web_server.hpp"

namespace actord::app {

/// Threads: the event loop's.
class HttpThread {
 public:
  using Answer = std::function<web::HttpReply(const web::HttpRequest&)>;

  /// All outlive the object. `answer` is called on the event loop's thread.
  HttpThread(os::EventLoop& event_loop, std::vector<std::string> hosts, Answer answer);
  ~HttpThread() { close(); }
  HttpThread(const HttpThread&) = delete;
  HttpThread& operator=(const HttpThread&) = delete;

  /// Listens and starts the thread. Throws std::system_error if the process may have no further
  /// thread.
  base::Result<void, os::SystemError> open(const std::string& address, std::uint16_t port);
  /// The same with a socket of the service manager.
  void open(os::PassedSocket socket);
  /// Where it listens: "127.0.0.1:4464". To be called once it is open.
  std::string address() const;
  /// Disconnects all clients and ends the thread. Further calls have no effect.
  void close();

 private:
  os::EventLoop& event_loop_;
  const Answer answer_;
  LoopThread thread_;
  web::WebServer server_;
};

}  // namespace actord::app
