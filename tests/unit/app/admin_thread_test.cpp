// SPDX-License-Identifier: Apache-2.0
#include "app/admin_thread.hpp"

#include <doctest/doctest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "base/clock.hpp"
#include "support/scratch_folder.hpp"
#include "wire/frame.hpp"

using namespace actord;
using namespace std::chrono_literals;

namespace {

/// The admin thread with an event loop that runs only when the test says so.
struct ThreadWorld {
  ThreadWorld() { REQUIRE(admin.open(path).ok()); }

  support::ScratchFolder folder;
  std::string path = folder.at("actord.sock");
  boost::asio::io_context event_loop{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> kept_running{
      event_loop.get_executor()};
  log::Hub hub{&base::monotonic_ns};
  std::vector<std::uint64_t> carried_out;
  app::AdminThread admin{event_loop, hub,
                         [this](const wire::Request& request, const admin::PeerFields&,
                                const admin::Responder& responder) {
                           carried_out.push_back(request.id);
                           CHECK(event_loop.poll() == 0);  // no second request is handed over
                           if (request.verb == "greedy") throw std::bad_alloc();
                           responder.reply({0, 0, {}, {{"verb", request.verb}}});
                         }};
};

void send(const os::Descriptor& socket, const std::string& text) {
  REQUIRE(os::send_all(socket.get(), wire::framed(text), 60s).ok());
}

wire::Reply reply_to(const os::Descriptor& socket) {
  wire::FrameReader reader;
  while (true) {
    if (const auto text = reader.next(); text && *text)
      return std::get<wire::Reply>(*wire::read_answer(**text));
    const auto bytes = os::receive(socket.get(), 60s);
    REQUIRE(bytes);
    REQUIRE_FALSE(bytes->empty());
    reader.add(*bytes);
  }
}

}  // namespace

TEST_SUITE_BEGIN("app/admin_thread");

TEST_CASE("frames are read and refused while the event loop is busy with something else") {
  ThreadWorld world;
  const os::Descriptor client = os::connect_to(world.path).value();
  send(client, "{nonsense");
  CHECK(reply_to(client).status == 64);
}

TEST_CASE("the event loop has one request at a time to carry out") {
  ThreadWorld world;
  std::vector<os::Descriptor> clients;
  for (std::uint64_t id = 1; id <= 10; ++id) {
    clients.push_back(os::connect_to(world.path).value());
    send(clients.back(), wire::text_of(wire::Request{id, "a"}));
  }
  while (world.carried_out.size() < clients.size()) {
    REQUIRE(world.event_loop.run_one_for(60s) == 1);
  }
  for (const os::Descriptor& client : clients) CHECK(reply_to(client).status == 0);
}

TEST_CASE("a request that needs more memory than there is is answered with that") {
  ThreadWorld world;
  const os::Descriptor client = os::connect_to(world.path).value();
  send(client, wire::text_of(wire::Request{1, "greedy"}));
  CHECK(world.event_loop.run_one_for(60s) == 1);
  const wire::Reply reply = reply_to(client);
  CHECK(reply.id == 1);
  CHECK(reply.status == 75);
  CHECK(reply.error.find("memory") != std::string::npos);
}

TEST_CASE("replies that are ready are sent before the clients are disconnected") {
  ThreadWorld world;
  const os::Descriptor client = os::connect_to(world.path).value();
  send(client, wire::text_of(wire::Request{7, "a"}));
  CHECK(world.event_loop.run_one_for(60s) == 1);
  world.admin.close();
  CHECK(reply_to(client).id == 7);
  CHECK_FALSE(os::connect_to(world.path).ok());
  world.admin.close();  // again
}
