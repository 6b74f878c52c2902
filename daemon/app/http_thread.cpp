// SPDX-License-Identifier: Apache-2.0
#include "app/http_thread.hpp"

#include <new>
#include <utility>

namespace actord::app {

using web::HttpReply;
using web::HttpRequest;

HttpThread::HttpThread(os::EventLoop& event_loop, std::vector<std::string> hosts, Answer answer)
    : event_loop_(event_loop),
      answer_(std::move(answer)),
      server_(thread_.loop(), std::move(hosts),
              [this](const HttpRequest& request, std::function<void(HttpReply)> reply) {
                os::post(event_loop_, [this, request, reply = std::move(reply)] {
                  HttpReply made{503, {}, {}};
                  try {
                    made = answer_(request);
                  } catch (const std::bad_alloc&) {}
                  os::post(thread_.loop(), [reply, made = std::move(made)] { reply(made); });
                });
              }) {}

base::Result<void, os::SystemError> HttpThread::open(const std::string& address,
                                                     std::uint16_t port) {
  auto opened = server_.open(address, port);
  // The server accepts until it is closed, so the loop does not run out of work.
  if (opened) thread_.start();
  return opened;
}

void HttpThread::open(os::PassedSocket socket) {
  server_.open(std::move(socket.descriptor));
  thread_.start();
}

std::string HttpThread::address() const { return server_.address(); }

void HttpThread::close() {
  thread_.stop([this] { server_.close(); });
}

}  // namespace actord::app
