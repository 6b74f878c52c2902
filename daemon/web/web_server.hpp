// SPDX-License-Identifier: Apache-2.0
//
// A small HTTP server for machines that look after this one: it answers GET and HEAD, and changes
// nothing. Boost.Beast reads and writes the messages.
//
// A browser must not be a way around the firewall, so a request is refused if it comes from another
// site (Origin), or if it names a host that is none of this server's (DNS rebinding). Headers have
// a limit, requests no body, clients a time limit and a number. Not here: what is answered (app).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/event_loop.hpp"
#include "os/system_error.hpp"

namespace actord::web {

struct HttpRequest {
  std::string path;    // "/metrics"; begins with a slash
  std::string query;   // what stands behind the question mark
  std::string accept;  // the header
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

/// Answers a request, now or later, on the thread of the server's loop.
using HttpHandler = std::function<void(const HttpRequest&, std::function<void(HttpReply)>)>;

struct HttpLimits {
  std::size_t clients_max = 64;
  std::size_t header_bytes_max = 8192;
  std::chrono::seconds client_timeout{10};  // for a request, an answer and its reading, each
};

/// Threads: only that of its loop, and before the loop runs any other.
class WebServer {
 public:
  /// `loop` outlives the server. `hosts` are names that a request may call the server by, besides
  /// localhost and its address, without a port.
  WebServer(os::EventLoop& loop, std::vector<std::string> hosts, HttpHandler handler,
            HttpLimits limits = {});
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  /// Listens at an IP address, and serves clients as soon as the loop runs.
  base::Result<void, os::SystemError> open(const std::string& address, std::uint16_t port);
  /// The same at a TCP socket that listens already.
  void open(os::Descriptor listening);
  /// Disconnects all clients. Afterwards the loop may end.
  void close();
  /// Where it listens: "127.0.0.1:4464"; if it was opened with the port 0, with that which the
  /// system has chosen. Only while it is open.
  std::string address() const;

 private:
  struct Acceptor;
  class Session;

  /// Serves clients of the acceptor, which listens.
  void begin();
  void accept();
  bool is_own_host(std::string_view host) const;

  const std::unique_ptr<Acceptor> acceptor_;
  os::Timer retry_timer_;  // pause after a failed accept
  std::vector<std::string> hosts_;
  const HttpHandler handler_;
  const HttpLimits limits_;
  std::vector<std::weak_ptr<Session>> sessions_;
};

}  // namespace actord::web
