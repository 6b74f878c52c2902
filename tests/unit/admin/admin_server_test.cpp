// SPDX-License-Identifier: Apache-2.0
//
// The server with real sockets in one thread: the test acts as all clients, and runs the loop.
#include "admin/admin_server.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>

#include "base/clock.hpp"
#include "support/scratch_folder.hpp"

using namespace actord;
using namespace std::chrono_literals;

namespace {

class World {
 public:
  explicit World(admin::ServerLimits limits = {})
      : server(
            loop, hub,
            [this](const auto& request, const auto&, const auto& responder) {
              asked.push_back(request.verb);
              if (request.verb == "later") held.push_back(responder);
              else if (request.verb == "flood") flood(responder);
              else responder.reply({0, 0, {}, {{"echo", request.arguments}}});
            },
            limits) {
    REQUIRE(server.open(path()).ok());
  }
  ~World() { server.close(); }

  std::string path() const { return folder.at("actord.sock"); }
  /// Runs everything that is ready now.
  void turn() {
    loop.restart();
    while (loop.poll() != 0) {}
  }

  static void flood(const admin::Responder& responder) {
    const std::string much(200'000, 'x');
    for (int i = 0; i < 100; ++i) responder.progress({{"much", much}});
    responder.reply({});
  }

  support::ScratchFolder folder;
  boost::asio::io_context loop{1};
  log::Hub hub{&base::monotonic_ns};
  std::vector<std::string> asked;
  std::vector<admin::Responder> held;
  admin::Server server;
};

/// A client that sends raw bytes.
class Client {
 public:
  explicit Client(World& world) : world_(world), socket_(os::connect_to(world.path()).value()) {
    world.turn();
  }

  void send(std::string_view bytes) {
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    CHECK(sent == static_cast<ssize_t>(bytes.size()));
    world_.turn();
  }
  void ask(const std::string& verb, std::uint64_t id = 1) {
    send(wire::framed(wire::text_of(wire::Request{id, verb, {{"n", id}}})));
  }
  std::optional<wire::Answer> answer() {
    world_.turn();
    while (true) {
      if (const auto text = reader_.next(); text && *text) return *wire::read_answer(**text);
      char bytes[65536];
      const ssize_t size = ::recv(socket_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
      if (size <= 0) return is_closed_ = is_closed_ || size == 0, std::nullopt;
      reader_.add({bytes, static_cast<std::size_t>(size)});
      world_.turn();
    }
  }
  wire::Reply reply() {
    const auto got = answer();
    REQUIRE(got);
    return std::get<wire::Reply>(*got);
  }
  bool is_let_go() {
    while (answer()) {}
    return is_closed_;
  }

 private:
  World& world_;
  os::Descriptor socket_;
  wire::FrameReader reader_;
  bool is_closed_ = false;
};

}  // namespace

TEST_SUITE_BEGIN("admin/admin_server");

TEST_CASE("requests are answered one after the other, also when they come together") {
  World world;
  Client client(world);
  client.send(wire::framed(R"({"v":1,"id":1,"verb":"a"})") +
              wire::framed(R"({"v":1,"id":2,"verb":"b","args":{"x":1}})"));
  CHECK(client.reply().id == 1);
  const wire::Reply second = client.reply();
  CHECK(second.id == 2);
  CHECK(second.result["echo"]["x"] == 1);
}

TEST_CASE("an answer may come later, and others are served meanwhile") {
  World world;
  Client slow(world);
  Client quick(world);
  slow.ask("later", 5);
  quick.ask("now");
  CHECK(quick.reply().status == 0);
  CHECK_FALSE(slow.answer());
  world.held.front().progress({{"phase", "half"}});
  CHECK(std::holds_alternative<wire::Progress>(*slow.answer()));
  world.held.front().reply({0, 75, "busy", {}});
  CHECK(slow.reply().status == 75);
  world.held.front().reply({0, 0, {}, {}});  // a second reply is ignored
  CHECK_FALSE(slow.answer());
}

TEST_CASE("an answer to a client that is gone does nothing") {
  World world;
  {
    Client client(world);
    client.ask("later");
  }
  world.turn();
  world.held.front().progress({});
  world.held.front().reply({});
  world.turn();
  Client next(world);
  next.ask("now");
  CHECK(next.reply().status == 0);
}

TEST_CASE("what is no frame or no request is answered with the reason, and ends the connection") {
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff", 4), std::string("\0\0\0\0", 4), wire::framed("{nonsense"),
        wire::framed("[]"), wire::framed(R"({"v":9,"id":1,"verb":"x"})"),
        wire::framed(std::string(500'000, '['))}) {
    World world;
    Client client(world);
    Client other(world);
    client.send(bytes.substr(0, 150'000));
    if (bytes.size() > 150'000) {
      for (std::size_t at = 150'000; at < bytes.size(); at += 100'000)
        client.send(std::string_view{bytes}.substr(at, 100'000));
    }
    const wire::Reply reply = client.reply();
    CHECK(reply.status == 64);
    CHECK_FALSE(reply.error.empty());
    CHECK(client.is_let_go());
    CHECK(world.asked.empty());
    other.ask("now");
    CHECK(other.reply().status == 0);
  }
}

TEST_CASE("a client that says half of something is let go when its time is over") {
  World world({.clients_max = 4, .client_timeout = 1ms});
  Client client(world);
  client.send(std::string_view("\0\0\1\0half", 8));
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!client.is_let_go() && std::chrono::steady_clock::now() < deadline) {
    world.loop.restart();
    world.loop.run_one_for(5ms);
  }
  CHECK(client.is_let_go());
}

TEST_CASE("a client that does not read is let go, and takes no more memory than it may") {
  World world;
  Client greedy(world);
  greedy.ask("flood");
  Client other(world);
  other.ask("now");
  CHECK(other.reply().status == 0);
  std::size_t got = 0;
  while (greedy.answer()) ++got;
  CHECK(got < 100);
  CHECK(greedy.is_let_go());
}

TEST_CASE("clients that want nothing do not keep others out") {
  World world({.clients_max = 3, .client_timeout = 10s});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(std::make_unique<Client>(world));
  Client busy(world);
  busy.ask("later");
  for (int i = 0; i < 20; ++i) idle.push_back(std::make_unique<Client>(world));
  Client client(world);
  client.ask("now");
  CHECK(client.reply().status == 0);
  CHECK(idle.front()->is_let_go());
  world.held.front().reply({0, 3, "still there", {}});
  CHECK(busy.reply().status == 3);
}

TEST_CASE("when all clients wait for answers, one more is told so") {
  World world({.clients_max = 2, .client_timeout = 10s});
  Client first(world);
  Client second(world);
  first.ask("later");
  second.ask("later");
  Client third(world);
  const wire::Reply reply = third.reply();
  CHECK(reply.status == 75);
  CHECK(third.is_let_go());
}

TEST_CASE("one user does not take all the places") {
  World world({.clients_max = 4, .clients_per_user_max = 2, .client_timeout = 10s});
  Client first(world);
  Client second(world);
  first.ask("later");
  Client third(world);  // the second is idle, and makes room
  CHECK(second.is_let_go());
  third.ask("later");
  Client fourth(world);
  const wire::Reply reply = fourth.reply();
  CHECK(reply.status == 75);
  CHECK(reply.error.find("the most for one user") != std::string::npos);
  world.held.front().reply({0, 3, "still there", {}});
  CHECK(first.reply().status == 3);
}

TEST_CASE("the service manager's socket is used, and stays when the server is closed") {
  support::ScratchFolder folder;
  boost::asio::io_context loop{1};
  log::Hub hub{&base::monotonic_ns};
  const std::string path = folder.at("passed.sock");
  auto listening = os::listen_at(path);
  REQUIRE(listening.ok());
  const int kept = ::dup(listening->get());
  admin::Server server(loop, hub, [](const auto&, const auto&, const auto& responder) {
    responder.reply({0, 0, {}, {{"it", "works"}}});
  });
  server.open(std::move(*listening), path);
  server.close();
  CHECK(std::filesystem::exists(path));
  CHECK(os::connect_to(path).ok());  // it waits for the next server
  ::close(kept);
}

TEST_CASE("an answer that no frame can hold becomes an error of its own") {
  World world;
  Client client(world);
  client.ask("later");
  world.held.front().reply({0, 0, {}, {{"much", std::string(2'000'000, 'x')}}});
  const wire::Reply reply = client.reply();
  CHECK(reply.error.find("longer than a frame") != std::string::npos);
  CHECK(reply.status == 70);
}

TEST_CASE("at the end the socket is gone, and so are the clients") {
  World world;
  Client client(world);
  world.server.close();
  world.turn();
  CHECK(client.is_let_go());
  CHECK_FALSE(std::filesystem::exists(world.path()));
}

TEST_CASE("a failed accept is logged once, and tried again at intervals instead of at once") {
  World world;
  const os::Descriptor client = os::connect_to(world.path()).value();
  rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const os::Descriptor lowest_free(::dup(STDERR_FILENO));
  const rlimit none_left = {static_cast<rlim_t>(lowest_free.get()), before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none_left) == 0);
  const auto failures = [&] {
    int n = 0;
    world.hub.drain([&](const log::Record& record) { n += record.event == "admin.accept-failed"; });
    return n;
  };
  world.loop.poll();
  CHECK(failures() == 1);
  CHECK(world.loop.poll() == 0);  // it waits
  world.loop.run_one();           // the end of the pause, and the next try
  world.loop.run_one();
  CHECK(failures() == 0);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(os::send_all(client.get(), wire::framed(R"({"v":1,"id":7,"verb":"a"})"), 1s).ok());
  while (world.asked.empty()) world.loop.run_one();
}
