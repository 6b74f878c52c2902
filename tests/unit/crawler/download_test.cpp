// SPDX-License-Identifier: Apache-2.0

#include "crawler/download.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "support/wait.hpp"

using crawler::Answer;
using crawler::Downloader;
using namespace std::chrono_literals;

namespace {

// A web server that answers as a test wants: one connection at a time, one answer per request; an
// empty answer closes the connection.
class Server {
 public:
  using Script = std::function<std::string(const std::string& request)>;

  explicit Server(Script script)
      : script_(std::move(script)), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(listener_, 8) == 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    is_over_ = true;
    shutdown(listener_, SHUT_RDWR);
    {
      const actord::support::TimeLimit limit("the end of the server");
      thread_.join();
    }
    close(listener_);
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  int connections() const { return connections_; }

 private:
  void serve() {
    while (!is_over_) {
      const int peer = accept(listener_, nullptr, nullptr);
      if (peer < 0) continue;
      ++connections_;
      std::string request;
      char buffer[4096];
      for (ssize_t n = 0; (n = recv(peer, buffer, sizeof buffer, 0)) > 0;) {
        request.append(buffer, static_cast<std::size_t>(n));
        if (!request.ends_with("\r\n\r\n")) continue;
        const std::string answer = script_(request);
        request.clear();
        if (answer.empty()) break;
        send(peer, answer.data(), answer.size(), MSG_NOSIGNAL);
      }
      close(peer);
    }
  }

  Script script_;
  int listener_;
  int port_ = 0;
  std::atomic<bool> is_over_{false};
  std::atomic<int> connections_{0};
  std::thread thread_;
};

std::string answer(const std::string& status, const std::string& type, const std::string& body,
                   const std::string& more = {}) {
  return "HTTP/1.1 " + status + "\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more + "\r\n" + body;
}

}  // namespace

TEST_SUITE("crawler/download") {
  TEST_CASE("an HTML page comes with its status, type and body, all over one connection") {
    Server server{[](const std::string& request) {
      return answer("200 OK", "Text/HTML; charset=\"UTF-8\"",
                    request.starts_with("GET /a?b ") ? "asked" : "other");
    }};
    Downloader downloader{{}};
    for (int i = 0; i < 5; ++i) {
      const Answer page = downloader.get(server.url("/a?b"));
      CHECK(page.outcome == Answer::Outcome::complete);
      CHECK(page.status == 200);
      CHECK(page.is_html());
      CHECK(page.content_type == "text/html");
      CHECK(page.charset == "utf-8");
      CHECK(page.body == "asked");
      CHECK(page.location.empty());
    }
    CHECK(server.connections() == 1);
  }

  TEST_CASE("a dead link is an answer and keeps the connection") {
    Server server{
        [](const std::string&) { return answer("404 Not Found", "text/html", "nothing here"); }};
    Downloader downloader{{}};
    for (int i = 0; i < 3; ++i) {
      const Answer page = downloader.get(server.url("/"));
      CHECK(page.outcome == Answer::Outcome::complete);
      CHECK(page.status == 404);
      CHECK(page.body.empty());
    }
    CHECK(server.connections() == 1);
  }

  TEST_CASE("what is not HTML is an answer without a body, however large") {
    Server server{[](const std::string& request) {
      return answer("200 OK", "image/png",
                    std::string(request.starts_with("GET /large") ? 4 << 20 : 10, 'x'));
    }};
    Downloader downloader{{}};
    for (const char* path : {"/small", "/large"}) {
      const Answer image = downloader.get(server.url(path));
      CHECK(image.outcome == Answer::Outcome::complete);
      CHECK(image.status == 200);
      CHECK_FALSE(image.is_html());
      CHECK(image.body.empty());
    }
  }

  TEST_CASE("a redirect is reported, not followed") {
    std::atomic<int> requests{0};
    Server server{[&](const std::string&) {
      ++requests;
      return answer("302 Found", "text/html", "moved", "Location: ../new.html\r\n");
    }};
    const Answer moved = Downloader{{}}.get(server.url("/dir/old.html"));
    CHECK(moved.status == 302);
    CHECK(moved.location == "../new.html");
    CHECK(requests == 1);
  }

  TEST_CASE("a page above the limit is cut off") {
    Server server{[](const std::string& request) {
      return answer("200 OK", "text/html",
                    std::string(request.starts_with("GET /over") ? 1001 : 1000, 'x'));
    }};
    Downloader downloader{{.body_bytes_max = 1000}};
    CHECK(downloader.get(server.url("/exact")).body.size() == 1000);
    const Answer page = downloader.get(server.url("/over"));
    CHECK(page.outcome == Answer::Outcome::too_large);
    CHECK(page.status == 200);
    CHECK(page.body.empty());
    CHECK(downloader.get(server.url("/exact")).body.size() == 1000);
  }

  TEST_CASE("a server that does not finish in time is a time-out") {
    Server server{[](const std::string&) {
      return std::string{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"};
    }};
    const Answer page = Downloader{{.timeout = 50ms}}.get(server.url("/"));
    CHECK(page.outcome == Answer::Outcome::timed_out);
    CHECK_FALSE(page.problem.empty());
    CHECK(page.body.empty());
  }

  TEST_CASE("a connection that breaks or cannot be made is lost") {
    std::string dead;
    {
      Server server{[](const std::string&) { return std::string{}; }};
      dead = server.url("/");
      CHECK(Downloader{{}}.get(dead).outcome == Answer::Outcome::connection_lost);
    }
    Downloader downloader{{}};
    const Answer refused = downloader.get(dead);
    CHECK(refused.outcome == Answer::Outcome::connection_lost);
    CHECK_FALSE(refused.problem.empty());
    CHECK(downloader.get("file:///etc/hostname").outcome == Answer::Outcome::connection_lost);
  }
}
