// SPDX-License-Identifier: Apache-2.0
//
// What a host may ask for is done; whatever else it says ends it, and nothing more.
#include "link/request_server.hpp"

#include <doctest/doctest.h>

#include "support/puppet_requests.hpp"

namespace actord::link {

TEST_SUITE_BEGIN("link/request_server");

namespace {

using support::PuppetWorld;
using support::Requests;

/// Lets the host answer the next message with these bytes. A call that asks goes on with returned.
void say_once(PuppetWorld& it, std::string bytes) {
  auto left = std::make_shared<std::string>(std::move(bytes));
  it.hosts.say = [left](Call call, std::string_view) {
    if (call != Call::receive) return support::returning();
    return std::exchange(*left, support::returning());
  };
}

/// Whether the host has lived on after it has said that.
bool is_accepted(PuppetWorld& it, std::string bytes) {
  static std::int32_t last = 0;
  it.world.forget_events();
  say_once(it, std::move(bytes));
  it.world.send(it.puppet, support::Poke{++last});  // another one, or it were poison
  for (const auto& line : it.world.events("actor.failed")) {
    CHECK(line.field("failure.type") == "actord::crash::Protocol");
    return false;
  }
  return true;
}

bool asks(std::string_view request) {
  FrameReader frame(request);
  switch (frame.take<Request>()) {
    case Request::fail_ask:
    case Request::ask_selection:
    case Request::tell_selection:
    case Request::forward_selection:
    case Request::spawn:
    case Request::spawn_configured:
    case Request::children:
    case Request::child:
    case Request::watch:
    case Request::stash:
    case Request::route:
    case Request::add_routee:
    case Request::routees:
    case Request::spawn_like:
    case Request::hash_of_field:
    case Request::tell_routees:
    case Request::breaker:
    case Request::admit_call:
    case Request::breaker_state:
    case Request::persistence_id:
    case Request::persist:
    case Request::save_snapshot:
    case Request::persistence_state:
    case Request::has_timer:
    case Request::schedule_once:
    case Request::now:
    case Request::random:
    case Request::asker:
    case Request::budget:
    case Request::reply_read:
    case Request::traceparent:
    case Request::continue_trace:
    case Request::system_try_tell:
    case Request::schedule:
    case Request::cancel_scheduled:
    case Request::path:
    case Request::find:
    case Request::type_name: return true;
    default: return false;
  }
}

// The request, and the end of the call unless the host waits for an answer.
std::string whole_turn(const std::string& request) {
  return support::sized(request) + (asks(request) ? std::string{} : support::returning());
}

std::vector<std::string> all_requests(PuppetWorld& it) {
  const Requests requests(it);
  std::vector<std::string> all = requests.of_actor();
  for (std::string& each : requests.of_any_thread()) all.push_back(std::move(each));
  return all;
}

}  // namespace

TEST_CASE("every request is carried out, and the host goes on") {
  std::vector<std::string> all;
  {
    PuppetWorld it;
    all = all_requests(it);
  }
  CHECK(all.size() > 40);
  for (const std::string& request : all) {
    CAPTURE(static_cast<int>(request[0]));
    PuppetWorld it;
    CHECK(is_accepted(it, whole_turn(request)));
    CHECK(it.world.shut_down());
    CHECK(it.world.system().blocks_in_use() == 0);
  }
}

TEST_CASE("a request that is cut off, or that says too much, ends the host and nothing else") {
  for (const std::string& request : [] {
         PuppetWorld it;
         return all_requests(it);
       }()) {
    CAPTURE(static_cast<int>(request[0]));
    PuppetWorld it;
    const std::string whole = support::sized(request);
    for (std::size_t size = 0; size < request.size(); ++size) {
      CAPTURE(size);
      CHECK_FALSE(is_accepted(it, support::sized(request.substr(0, size))));
      CHECK_FALSE(is_accepted(it, whole.substr(0, size)));
    }
    CHECK(it.world.is_alive(it.puppet));  // what is not whole is not done
    CHECK_FALSE(is_accepted(it, support::sized(request + '\0')));
    CHECK(it.world.shut_down());
    CHECK(it.world.system().blocks_in_use() == 0);
  }
}

TEST_CASE("a request with any byte changed does no more than kill the host") {
  for (const std::string& request : [] {
         PuppetWorld it;
         return all_requests(it);
       }()) {
    CAPTURE(static_cast<int>(request[0]));
    PuppetWorld it;
    std::int32_t n = 0;
    for (std::size_t at = 0; at < request.size(); ++at) {
      for (const int bits : {0x01, 0x80, 0xff}) {
        std::string changed = request;
        changed[at] = static_cast<char>(changed[at] ^ bits);
        say_once(it, whole_turn(changed));
        it.world.tell(it.puppet, support::Poke{++n});
        it.world.run();
      }
    }
    CHECK(it.world.shut_down());
    CHECK(it.world.system().blocks_in_use() == 0);
  }
}

TEST_CASE("after the call has returned, or while it should wait, the host says nothing more") {
  PuppetWorld it;
  CHECK_FALSE(is_accepted(it, support::returning() + support::returning()));
  const std::string now = support::sized(std::string(1, static_cast<char>(Request::now)));
  CHECK_FALSE(is_accepted(it, now + support::returning()));
  CHECK_FALSE(is_accepted(it, {}));
  CHECK(is_accepted(it, now));
}

TEST_CASE("a destructor asks for what any thread may, and for nothing of an actor") {
  for (const bool is_of_actor : {true, false}) {
    PuppetWorld it;
    const Requests requests(it);
    for (const std::string& request :
         is_of_actor ? requests.of_actor() : requests.of_any_thread()) {
      CAPTURE(static_cast<int>(request[0]));
      auto ended = std::make_shared<int>(0);
      it.hosts.say = [&it, ended, turn = whole_turn(request)](Call call, std::string_view) {
        if (call == Call::receive) return support::returning(ACTORD_FAILED);
        if (call == Call::destroy && ++*ended == 1) return turn;
        return support::returning();
      };
      const link::HostPtr before = *it.hosts.host_for({});
      it.world.send(it.puppet, support::Poke{});
      CHECK(*ended >= 1);
      CHECK(before->is_alive() != is_of_actor);
      CHECK(it.world.incarnation(it.puppet) > 0);
    }
  }
}

TEST_CASE("a thread of a host that says what is no request of threads is refused") {
  PuppetWorld it;
  std::string answer;
  const Requests requests(it);
  for (const std::string& request : requests.of_any_thread()) {
    CAPTURE(static_cast<int>(request[0]));
    CHECK(it.plugin->serve_outside(request, answer));
    CHECK(answer.empty() != asks(request));
    for (std::size_t size = 0; size < request.size(); ++size)
      CHECK_FALSE(it.plugin->serve_outside(request.substr(0, size), answer));
    CHECK_FALSE(it.plugin->serve_outside(request + '\0', answer));
  }
  for (const std::string& request : requests.of_actor())
    CHECK_FALSE(it.plugin->serve_outside(request, answer));
  for (int kind = 0; kind < 256; ++kind)
    CHECK_FALSE(it.plugin->serve_outside(std::string(1, static_cast<char>(kind)), answer));
}

TEST_SUITE_END();

}  // namespace actord::link
