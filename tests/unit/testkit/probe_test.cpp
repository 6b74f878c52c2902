// SPDX-License-Identifier: Apache-2.0
//
// The probe of a test: what it sends, what it expects, and its errors if an expected message does
// not come.
#include <doctest/doctest.h>

#include "unit/testkit/counter.hpp"

using namespace counting;
using actord::testkit::Unmet;

namespace counting {

struct Unlisted {};
ACTORD_MESSAGE(Unlisted, "counting.Unlisted/1")

struct Bare {
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Bare, "counting.Bare/1", n)

/// A plugin with Bare as one in C may have it: its table lacks the functions that move, copy and
/// destroy, because the host copies bytes.
inline const actord_plugin* bare_plugin() {
  static actord_message_type type = *actord::detail::message_table<Bare>();
  type.move = nullptr;
  type.copy = nullptr;
  type.destroy = nullptr;
  static const actord_message_type* const types[] = {&type};
  static actord_plugin plugin = *actord::plugin_table<actord::Messages<>>("bare", "1");
  plugin.messages = types;
  plugin.n_messages = 1;
  return &plugin;
}

}  // namespace counting

// The messages of a plugin that was built otherwise than the test.
namespace elsewhere {

struct Add {
  std::int64_t padding[4]{};
  int n = 0;
};
constexpr auto actord_members(const Add*) {
  return actord::detail::MemberArray<1>{
      {{ACTORD_STR("n"), &actord::detail::data_type<decltype(Add::n)>, offsetof(Add, n), 0}}};
}
constexpr std::string_view actord_message_name(const Add*) { return "counting.Add/1"; }

/// Sends on what it gets, to its sender and to /user/other.
class Echo : public actord::Actor {
 public:
  Add add(actord::Context& ctx, const Add& add) {
    if (const auto other = ctx.find("/user/other")) ctx.tell(other, add);
    return add;
  }
  using Receive = actord::Handlers<&Echo::add>;
};

}  // namespace elsewhere

namespace {

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Unmet& unmet) {
    return unmet.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE_BEGIN("testkit/probe");

TEST_CASE("a probe is the sender of what it sends, and gets the answers in their order") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  probe.send(counter, Get{});
  probe.send(counter, Add{2});
  probe.send(counter, Get{});
  CHECK(probe.waiting() == 2);
  CHECK(probe.expect<Total>().n == 0);
  CHECK(probe.sender() == counter);
  CHECK(probe.expect<Total>().n == 2);
  probe.expect_none(1h);
}

TEST_CASE("a message that is copied as bytes needs no functions for that") {
  actord::testkit::TestSystem system;
  system.use(bare_plugin());
  auto probe = system.probe("probe");
  auto other = system.probe("other");
  other.answer<Bare>([](const Bare& bare) { return Bare{bare.n + 1}; });
  CHECK(probe.ask<Bare>(other.ref(), Bare{6}).n == 7);
}

TEST_CASE("another message than the expected one is reported with its content, and is not lost") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{6, ""});
  probe.send(counter, Get{});
  CHECK(error_of([&] { probe.expect<Add>(); }) ==
        "probe probe: expected counting.Add/1, got counting.Total/1 {n: 6} from /user/counter");
  CHECK(error_of([&] { probe.expect_none(); }) ==
        "probe probe: expected no message, got counting.Total/1 {n: 6} from /user/counter");
  CHECK(probe.expect<Total>().n == 6);
  CHECK(error_of([&] { probe.expect<Total>(2s); }) ==
        "probe probe: expected counting.Total/1 within 2.000000s, got no message");
}

TEST_CASE("a message may take its time, and others before it be dropped") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto watched = system.spawn<Counter>("watched", Counter::Config{});
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  probe.send(counter, Ask{actord::Ref{}});  // no actor there: the ask fails at once
  CHECK(probe.expect<Total>().n == -1);
  probe.send(watched, Get{});
  probe.watch(watched);
  system.stop(watched);
  CHECK(probe.expect_among_others<actord::Terminated>().who == watched);
  probe.expect_none();
}

TEST_CASE("an ask without an answer ends with its time limit") {
  CounterTest system;
  auto probe = system.probe("probe");
  auto mute = system.probe("mute");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  probe.send(counter, Ask{mute.ref()});
  mute.expect<Get>();
  probe.expect_none(4s);
  CHECK(probe.expect<Total>(1s).n == -1);
}

TEST_CASE("a probe answers what it is asked as the test says, and keeps the rest") {
  CounterTest system;
  auto probe = system.probe("probe");
  auto other = system.probe("other");
  other.answer<Get>([n = 40](const Get&) mutable { return Total{++n}; });
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  probe.send(counter, Ask{other.ref()});
  CHECK(probe.expect<Total>().n == 41);
  probe.send(other.ref(), Add{1});
  CHECK(other.expect<Add>().n == 1);
  other.expect_none();
}

TEST_CASE("a probe hears of the end of the actors it watches, until it watches no longer") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto one = system.spawn<Counter>("one", Counter::Config{});
  const auto two = system.spawn<Counter>("two", Counter::Config{});
  probe.watch(one);
  probe.watch(two);
  probe.unwatch(two);
  CHECK(error_of([&] { probe.expect_terminated(one); }) ==
        "probe probe: expected Terminated of /user/one, got no message");
  system.stop(two);
  system.stop(one);
  CHECK(probe.expect_terminated(one).existence_confirmed);
  probe.expect_none();
}

TEST_CASE("sending a message that no plugin lists is an error that says so") {
  CounterTest system;
  auto probe = system.probe("probe");
  CHECK_THROWS_AS(probe.send(probe.ref(), Unlisted{}), actord::Error);
}

TEST_CASE("a probe asks, and gets the answer or the reason why there is none") {
  CounterTest system;
  auto probe = system.probe("probe"), silent = system.probe("silent");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{6, ""});
  CHECK(probe.ask<Total>(counter, Get{}).n == 6);
  CHECK(probe.sender() == counter);
  CHECK(error_of([&] { probe.ask<Add>(counter, Get{}); }) ==
        "probe probe: asked counting.Get/1 of /user/counter, expected counting.Add/1, got "
        "counting.Total/1 {n: 6} from /user/counter");
  CHECK(error_of([&] { probe.ask<Total>(silent.ref(), Get{}, 2s); }) ==
        "probe probe: asked counting.Get/1 of /user/silent, expected counting.Total/1, got "
        "actord::AskTimeout: counting.Get/1 to /user/silent was not answered within 2 s");
  system.stop(counter);
  const std::string none = error_of([&] { probe.ask<Total>(counter, Get{}); });
  CHECK(none.find("got actord::NoRecipient: counting.Get/1 did not reach /user/counter") !=
        std::string::npos);
  CHECK(none.find("; not delivered were counting.Get/1 to ") != std::string::npos);
  CHECK(probe.waiting() == 0);
}

TEST_CASE("a question can be answered later, through the sender of the question") {
  CounterTest system;
  auto counter = system.spawn<Counter>("counter", Counter::Config{});
  auto store = system.probe("store");
  system.send(counter, Ask{store.ref()});
  store.expect<Get>();
  const actord::Ref asked = store.sender();
  CHECK(system.path(asked).starts_with("/temp/$"));
  CHECK_FALSE(system.is_alive(asked));
  CHECK(system.restarts(asked) == 0);
  store.send(asked, Total{3});
  system.advance(10s);
  CHECK(system.events("deadletter").size() == 1);  // the Counter's own asker was no actor
}

TEST_CASE("what was not delivered is a part of the reason why a message does not come") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.stop(counter);
  system.run();
  for (int i = 0; i < 5; ++i) system.send(counter, Add{i});
  const std::string text = error_of([&] { probe.expect<Total>(); });
  CAPTURE(text);
  CHECK(text.find("got no message; not delivered were 5 messages, at last counting.Add/1 to ") !=
        std::string::npos);
}

TEST_CASE("a probe gets messages in the layout of the test, whatever plugin sends them") {
  CounterTest system;
  system.use(
      actord::plugin_table<actord::Behaviours<elsewhere::Echo>, actord::Messages<elsewhere::Add>>(
          "elsewhere", "1"));
  auto probe = system.probe("probe"), other = system.probe("other");
  int answered = 0;
  other.answer<Add>([&](const Add& add) {
    answered = add.n;
    return Total{};
  });
  const auto echo = system.spawn("echo", "elsewhere/Echo");
  probe.send(echo, Add{2});
  CHECK(probe.expect<Add>().n == 2);
  CHECK(answered == 2);
  CHECK(probe.ask<Add>(echo, Add{3}).n == 3);
  CHECK(answered == 3);
  other.expect_none();
}

TEST_SUITE_END();
