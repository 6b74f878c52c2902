// SPDX-License-Identifier: Apache-2.0
//
// The server over real sockets, answered on its own thread instead of by actors. No test waits for
// time to pass: every wait ends with an action of the server.
#include "static_site/http_server.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <system_error>

#include "loopback_client.hpp"
#include "static_site/responder.hpp"
#include "support/scratch_folder.hpp"
#include "support/wait.hpp"

using namespace std::chrono_literals;
using actord::support::ScratchFolder;
using static_site::ConnectionEvents;
using static_site::HttpServer;
using static_site::Reply;
using static_site::Request;
using static_site::ServerEvents;
using static_site_test::LoopbackClient;

namespace {

class TestSite {
 public:
  explicit TestSite(HttpServer::Options options = {}) : server(options) {
    folder.write("index.html", "home");
    folder.write("a.txt", "text of a");
    server.start(std::make_unique<Doorman>(*this));
  }

  ScratchFolder folder;
  static_site::DocumentRoot root{folder.path()};
  HttpServer server;
  std::atomic<int> events{0};

 private:
  // "/reset" resets the connection, and "/silence" is never answered.
  struct Clerk : ConnectionEvents {
    Clerk(TestSite& s, std::uint64_t i) : site(s), id(i) {}
    void requested(Request request) override {
      ++site.events;
      if (request.target == "/reset") return site.server.reset(id);
      if (request.target == "/silence") return;
      site.server.answer(id, respond(site.root, request));
    }
    void closed(std::string_view) override { ++site.events; }

    TestSite& site;
    std::uint64_t id;
  };
  struct Doorman : ServerEvents {
    explicit Doorman(TestSite& s) : site(s) {}
    void accepted(std::uint64_t id, std::string_view) override {
      ++site.events;
      site.server.attach(id, std::make_unique<Clerk>(site, id));
    }
    void accepting_failed(std::string_view) override {}
    void failed(std::string_view) override {}

    TestSite& site;
  };
};

std::string exchange(std::uint16_t port, std::string_view text) {
  const LoopbackClient client{port};
  client.say(text);
  return client.hear();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

}  // namespace

TEST_SUITE("static_site/http_server") {
  TEST_CASE("a connection is kept for the next request, and closed when asked to") {
    const TestSite site;
    const LoopbackClient client{site.server.port()};
    client.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(client.hear_until("home"), "HTTP/1.1 200 OK\r\n"));
    client.say("GET /a.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const std::string last = client.hear();
    CHECK(has(last, "Content-Type: text/plain\r\n"));
    CHECK(has(last, "Connection: close\r\n"));
    CHECK(body(last) == "text of a");
  }

  TEST_CASE("requests sent at once are answered in their order") {
    const TestSite site;
    const std::string heard = exchange(site.server.port(),
                                       "GET /a.txt HTTP/1.1\r\nHost: x\r\n\r\n"
                                       "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"
                                       "GET / HTTP/1.0\r\n\r\n");
    CHECK(heard.find("text of a") < heard.find("Content-Length: 4\r\n"));
    CHECK(heard.find("home") == heard.rfind("home"));  // HEAD had no body
    CHECK(heard.ends_with("\r\n\r\nhome"));
  }

  TEST_CASE("a file larger than any buffer arrives whole") {
    const TestSite site;
    std::string large;
    for (int i = 0; large.size() < 3'000'000; ++i) large += std::to_string(i);
    site.folder.write("large.bin", large);
    const std::string heard = exchange(site.server.port(), "GET /large.bin HTTP/1.0\r\n\r\n");
    CHECK(body(heard) == large);
  }

  TEST_CASE("what is no acceptable request is refused with its status, and the connection ends") {
    const TestSite site;
    struct Row {
      std::string text;
      const char* status;
    };
    const std::string host = "Host: x\r\n";
    // the end of the head, and a second request where a body may stand
    const std::string smuggled = "\r\nGET /smuggled HTTP/1.1\r\n" + host + "\r\n";
    for (const Row& row : {
             Row{"GET / HTTP/1.1\r\n\r\n", "400"},
             Row{"GET / HTTP/1.1\r\n" + host + host + "\r\n", "400"},
             Row{"nonsense\r\n\r\n", "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n" + smuggled, "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: identity\r\n" + smuggled, "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked, gzip\r\n" + smuggled,
                 "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n" + smuggled,
                 "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n" + smuggled, "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n" +
                     "Transfer-Encoding: identity\r\n" + smuggled,
                 "400"},
             Row{"GET / HTTP/1.1\r\n" + host + "Transfer-Encoding:\r\n" + smuggled, "400"},
             Row{"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n" + smuggled, "400"},
             Row{"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: ChunkeD\r\n\r\n0\r\n\r\n" +
                     smuggled.substr(2),
                 "405"},
             Row{"GET / HTTP/2.0\r\n" + host + "\r\n", "505"},
             Row{"GET / HTTP/1.1\r\n" + host + "X: " + std::string(8192, 'x') + "\r\n\r\n", "431"},
             Row{"GET /" + std::string(20'000, 'x'), "431"},
             Row{"POST / HTTP/1.1\r\n" + host + "Content-Length: 9\r\n\r\nGET / HTT", "405"},
             Row{"POST / HTTP/1.1\r\n" + host + "Content-Length: 99999\r\n\r\n" +
                     std::string(99'999, 'x'),
                 "405"},
         }) {
      CAPTURE(row.text.substr(0, 40));
      const std::string heard = exchange(site.server.port(), row.text);
      CHECK(heard.starts_with(std::string{"HTTP/1.1 "} + row.status));
      CHECK(heard.ends_with("</html>\n"));
      CHECK(heard.find("HTTP/1.1 ", 1) == std::string::npos);
    }
  }

  TEST_CASE("a reset is heard as one") {
    const TestSite site;
    CHECK(exchange(site.server.port(), "GET /reset HTTP/1.1\r\nHost: x\r\n\r\n") == "<reset>");
  }

  TEST_CASE("a client that is silent for the idle timeout is disconnected") {
    const TestSite site{{.idle_timeout = 20ms}};
    CHECK(exchange(site.server.port(), "").empty());
    CHECK(exchange(site.server.port(), "GET / HTT").empty());
  }

  TEST_CASE("beyond the limit of connections the next one waits for one to leave") {
    const TestSite site{{.idle_timeout = 20ms, .max_connections = 1}};
    const LoopbackClient first{site.server.port()};
    CHECK(has(exchange(site.server.port(), "GET / HTTP/1.0\r\n\r\n"), "home"));
    CHECK(first.hear().empty());
  }

  TEST_CASE("stopping closes what is open, reports nothing afterwards and frees the port") {
    HttpServer::Options options;
    {
      TestSite site;
      options.port = site.server.port();
      const LoopbackClient idle{options.port};
      const LoopbackClient waiting{options.port};
      idle.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      idle.hear_until("home");
      waiting.say("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /silence HTTP/1.1\r\nHost: x\r\n\r\n");
      waiting.hear_until("home");
      site.server.stop();
      const int events = site.events;
      CHECK(idle.hear().empty());
      waiting.hear();
      site.server.answer(1, static_site::error_page(503));
      site.server.finish(1);
      site.server.stop();
      CHECK(site.events == events);
    }
    TestSite again{options};
    CHECK(has(exchange(options.port, "GET / HTTP/1.0\r\n\r\n"), "home"));
  }

  TEST_CASE("a handler attached to a closed connection gets the reason of the close") {
    struct Late : ConnectionEvents {
      explicit Late(std::promise<std::string>& w) : why(w) {}
      void requested(Request) override {}
      void closed(std::string_view reason) override { why.set_value(std::string{reason}); }
      std::promise<std::string>& why;
    };
    std::promise<std::string> why;
    TestSite site;
    site.server.attach(4711, std::make_unique<Late>(why));
    const actord::support::TimeLimit limit("the reason of the close");
    CHECK_FALSE(why.get_future().get().empty());
  }

  TEST_CASE("only this machine is served") {
    for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "example.org", ""}) {
      CAPTURE(host);
      CHECK_FALSE(HttpServer::is_loopback(host));
      CHECK_THROWS_AS((HttpServer{HttpServer::Options{.host = host}}), std::invalid_argument);
    }
    for (const char* host : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
      CAPTURE(host);
      CHECK(HttpServer::is_loopback(host));
    }
  }

  TEST_CASE("a port in use is named together with the reason") {
    const HttpServer first{{}};
    try {
      const HttpServer second{{.port = first.port()}};
      FAIL("listens twice");
    } catch (const std::system_error& error) {
      CHECK(error.code() == std::errc::address_in_use);
      CHECK(has(error.what(), "127.0.0.1:" + std::to_string(first.port())));
    }
  }
}
