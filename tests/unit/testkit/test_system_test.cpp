// SPDX-License-Identifier: Apache-2.0
//
// The system that a test drives: actors, messages, time and logged events.
#include <doctest/doctest.h>
#include <actord/shared_circuit_breaker.hpp>

#include <set>

#include "unit/testkit/counter.hpp"

using namespace counting;
using actord::testkit::Event;
using actord::testkit::Unmet;

namespace counting {

struct Ball {};
ACTORD_MESSAGE(Ball, "counting.Ball/1")

}  // namespace counting

namespace {

// Returns each Ball.
class Player : public actord::Actor {
 public:
  void play(actord::Context& ctx, const Ball&) { ctx.tell(ctx.sender(), Ball{}); }
  using Receive = actord::Handlers<&Player::play>;
};

// Outlives the actors below /user.
class Exporter : public actord::Actor {
 public:
  explicit Exporter(actord::Context& ctx) {
    ctx.tell(ctx.parent(), actord::RegisterTerminationHook{});
  }
  void finish(actord::Context& ctx, const actord::TerminationHook&) {
    ctx.event(actord::Level::info, "exporter.last", "all user actors have stopped");
    ctx.reply(actord::TerminationHookDone{});
  }
  using Receive = actord::Handlers<&Exporter::finish>;
};

struct Exporting {
  static void attach(actord::System system) { system.spawn_system<Exporter>("exporter"); }
};

// Each Add is a failure of the breaker that it shares.
class Fused : public actord::Actor {
 public:
  void add(actord::Context& ctx, const Add&) { breaker_.failed(ctx); }
  using Receive = actord::Handlers<&Fused::add>;

 private:
  actord::SharedCircuitBreaker breaker_{"fuse"};
};

// Writes under names of actord's own, and under one of its own.
class Liar : public actord::Actor {
 public:
  void lie(actord::Context& ctx, const Ball&) {
    ctx.event(actord::Level::info, "daemon.stopped", "actord has stopped");
    ctx.system().event(actord::Level::info, "actor.failed", "all is lost");
    ctx.event(actord::Level::info, "liar.event", "the truth");
  }
  using Receive = actord::Handlers<&Liar::lie>;
};

// Writes the two events of a back-off supervisor as one of an older SDK does.
class OldGuard : public actord::Actor {
 public:
  void write(actord::Context& ctx, const Ball&) {
    ctx.event(actord::Level::warning, "actor.backoff", "waits", {{"child", ctx.self()}});
    ctx.event(actord::Level::error, "supervisor.limit", "gives up", {{"child", ctx.self()}});
    ctx.event(actord::Level::error, "supervisor.storm", "storms");
  }
  using Receive = actord::Handlers<&OldGuard::write>;
};

// Writes more in one handler than a daemon's log keeps.
class Loud : public actord::Actor {
 public:
  void shout(actord::Context& ctx, const Ball&) {
    for (int i = 0; i < 3000; ++i)
      ctx.event(actord::Level::warning, "loud.warning", "loud", {{"number", i}});
  }
  using Receive = actord::Handlers<&Loud::shout>;
};

class Fan : public actord::Actor {
 public:
  explicit Fan(std::vector<actord::Ref> all) : all_(std::move(all)) {}
  void spread(actord::Context& ctx, const Add& m) {
    for (const actord::Ref each : all_) ctx.tell(each, m);
  }
  using Receive = actord::Handlers<&Fan::spread>;

 private:
  std::vector<actord::Ref> all_;
};

}  // namespace

TEST_SUITE_BEGIN("testkit/test_system");

TEST_CASE("an actor is constructed from arguments, or from HOCON under its name in the plugin") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto asks = [&](actord::Ref whom) {
    probe.send(whom, Get{});
    return probe.expect<Total>().n;
  };
  CHECK(asks(system.spawn<Counter>("args", Counter::Config{3, ""})) == 3);
  CHECK(asks(system.spawn("config", "counting/Counter", "start = 7, motto = more")) == 7);
  CHECK(asks(system.spawn("plain", "counting/Counter")) == 0);
  CHECK(system.path(system.find("/user/config")) == "/user/config");
}

namespace {

/// The error of spawning a behaviour with this config; empty if there is none.
std::string refusal(CounterTest& system, std::string_view behaviour, std::string_view config) {
  try {
    system.spawn("x", behaviour, config);
  } catch (const actord::Error& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("what cannot be spawned is an error, and so is a config that cannot be read") {
  CounterTest system;
  CHECK_THROWS_AS(system.spawn("x", "counting/Nobody"), actord::Error);
  CHECK_THROWS_AS(system.spawn("x", "counting/Counter", "start = ["), actord::Error);
  const std::string error = refusal(system, "counting/Counter", "motto = more\nstart = many");
  CHECK_MESSAGE(has(error, "x.conf:2"), error);
  CHECK_FALSE(system.find("/user/x"));
  system.expect_event("actor.failed", {{"actor.path", "/user/x"}});
  system.spawn("x", "counting/Counter", "start = 2");  // the name is free
}

TEST_CASE("a key that the behaviour does not know is an error that names those that it knows") {
  CounterTest system;
  const std::string error = refusal(system, "counting/Counter", "start = 1\nspeed = 2");
  CHECK_MESSAGE(has(error, "x.conf:2"), error);
  CHECK(has(error, "unknown key \"speed\""));
  CHECK(has(error, "known here: start, motto"));
  CHECK(has(refusal(system, "counting/Boss", "start = 1"), "takes no config"));
  const std::string nested =
      refusal(system, "counting/Shelf", "boxes = [{ max-size = 1 }, { max_size = 1, deep = 2 }]");
  CHECK_MESSAGE(has(nested, "\"boxes[1].deep\""), nested);
  CHECK(has(nested, "known here: max-size"));
  CHECK(refusal(system, "counting/Shelf", "boxes = [{ max-size = 1 }]").empty());
}

TEST_CASE("time passes only when advanced, and then brings what is due") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  const auto before = system.now();
  probe.send(counter, Remind{4});
  system.advance(999ms);
  probe.send(counter, Get{});
  CHECK(probe.expect<Total>().n == 0);
  system.advance(1ms);
  probe.send(counter, Get{});
  CHECK(probe.expect<Total>().n == 4);
  CHECK(system.now() - before == 1s);
}

TEST_CASE("a message that was sent lies there until the system runs") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.tell(counter, Add{1}, probe.ref());
  CHECK(system.events("counting.added").empty());
  while (system.step()) {}
  CHECK(system.events("counting.added").size() == 1);
}

TEST_CASE("an event answers one expectation, found by its name and fields of any kind") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  for (const int n : {1, 2, 2}) probe.send(counter, Add{n});
  const Event second = system.expect_event("counting.added", {{"n", 2}, {"by", probe.ref()}});
  CHECK(second.level == actord::Level::info);
  CHECK(second.text == "added");
  CHECK(second.field("actor.path") == "/user/counter");
  CHECK(second.field("nothing").empty());
  system.expect_event("counting.added", {{"n", 2}});
  CHECK_THROWS_AS(system.expect_event("counting.added", {{"n", 2}}), Unmet);
  CHECK_THROWS_AS(system.expect_no_event("counting.added"), Unmet);
  system.expect_event("counting.added");
  system.expect_no_event("counting.added");
}

TEST_CASE("an event may take its time") {
  CounterTest system;
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.send(counter, Remind{4});
  CHECK_THROWS_AS(system.expect_event("counting.added", {}, 500ms), Unmet);
  const auto before = system.now();
  system.expect_event("counting.added", {{"n", 4}}, 10s);
  CHECK(system.now() - before == 500ms);  // no more than it needs
}

TEST_CASE("an expectation that is not met says what there was instead") {
  CounterTest system;
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.send(counter, Add{3});
  try {
    system.expect_event("counting.added", {{"n", 4}});
    FAIL("it was met");
  } catch (const Unmet& unmet) {
    const std::string text = unmet.what();
    CHECK(text.find("expected an event counting.added n=4") == 0);
    CHECK(text.find("n=3") != text.npos);
  }
}

TEST_CASE("forgotten events are gone") {
  CounterTest system;
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.send(counter, Add{3});
  system.forget_events();
  CHECK(system.events().empty());
  system.send(counter, Add{4});
  system.expect_event("counting.added", {{"n", 4}});
}

TEST_CASE("the guardian judges as the test says") {
  using actord::Directive;
  for (const bool is_stopping : {false, true}) {
    CounterTest system({.guardian = actord::one_for_one().otherwise(
                            is_stopping ? Directive::stop : Directive::restart)});
    const auto counter = system.spawn<Counter>("counter", Counter::Config{});
    system.send(counter, Add{1000});
    CHECK(system.is_alive(counter) != is_stopping);
    CHECK(system.restarts(counter) == (is_stopping ? 0 : 1));
  }
}

TEST_CASE("actors and messages of the test's own need no plugin of their own") {
  actord::testkit::TestSystem system;
  system.use<actord::Behaviours<Counter>, actord::Messages<Add, Get, Total, Remind, Ask, Close>>();
  const auto counter = system.spawn("counter", "test/Counter");
  system.send(counter, Add{1});
  system.expect_event("counting.added");
  CHECK_THROWS_AS(system.use(plugin()), actord::Error);
}

TEST_CASE("stopping ends one actor, and the way down all of them") {
  CounterTest system;
  const auto one = system.spawn<Counter>("one", Counter::Config{});
  const auto two = system.spawn<Counter>("two", Counter::Config{});
  system.stop(one);
  CHECK_FALSE(system.is_alive(one));
  CHECK(system.is_alive(two));
  CHECK(system.shut_down());
  CHECK_FALSE(system.is_alive(two));
}

TEST_CASE("a seed decides everything: two runs of one are the same") {
  const auto story = [](std::uint64_t seed) {
    CounterTest system({.seed = seed});
    std::vector<actord::Ref> all;
    for (int i = 0; i < 8; ++i)
      all.push_back(system.spawn<Counter>("c" + std::to_string(i), Counter::Config{}));
    system.send(system.spawn<Fan>("fan", all), Add{1});
    std::string text;
    for (const Event& event : system.events("counting.added")) text += event.field("actor.path");
    return text;
  };
  std::set<std::string> stories;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    stories.insert(story(seed));
    CHECK(stories.contains(story(seed)));
  }
  CHECK(stories.size() > 1);
}

TEST_CASE("actors that never come to rest are stopped, and named with what they send") {
  CounterTest system({.max_turns = 2000});
  system.use<actord::Behaviours<>, actord::Messages<Ball>>();
  const auto one = system.spawn<Player>("one"), two = system.spawn<Player>("two");
  std::string text;
  try {
    system.send(one, Ball{}, two);
  } catch (const actord::testkit::Unmet& unmet) {
    text = unmet.what();
  }
  CAPTURE(text);
  CHECK(text.find("the actors do not come to rest: after 2000 turns") != std::string::npos);
  CHECK(text.find("/user/one to /user/two: counting.Ball/1 (") != std::string::npos);
  CHECK(text.find("/user/two to /user/one: counting.Ball/1 (") != std::string::npos);
  system.stop(one);
  system.advance(1h);
  CHECK(system.is_alive(two));
}

TEST_CASE("the way down ends actors that are always busy, too") {
  CounterTest system({.max_turns = 50'000});
  system.use<actord::Behaviours<>, actord::Messages<Ball>>();
  const auto one = system.spawn<Player>("one"), two = system.spawn<Player>("two");
  system.tell(one, Ball{}, two);
  CHECK(system.shut_down());
  CHECK_FALSE(system.is_alive(one));
  CHECK_FALSE(system.is_alive(two));
}

TEST_CASE("an actor whose class no plugin lists has the name of its class in events") {
  CounterTest system;
  system.use<actord::Behaviours<>, actord::Messages<Ball>>();
  const auto player = system.spawn<Player>("player");
  CHECK(system.expect_event("actor.started", {{"actor.path", "/user/player"}})
            .field("actor.behaviour") == "test/Player");
  system.fail_next<Overflow>(player);
  system.send(player, Ball{});
  CHECK(system.expect_event("actor.failed", {{"actor.path", "/user/player"}})
            .field("actor.behaviour") == "test/Player");
}

TEST_CASE("spawn throws Error where there can be no such actor") {
  CounterTest system;
  system.spawn<Counter>("counter", Counter::Config{});
  CHECK_THROWS_AS(system.spawn<Counter>("counter", Counter::Config{}), actord::Error);
  CHECK_THROWS_AS(system.spawn<Counter>("a b", Counter::Config{}), actord::Error);
  CHECK_THROWS_AS(system.spawn("counter", "counting/Counter"), actord::Error);
  CHECK_THROWS_AS(system.spawn("other", "counting/Nothing"), actord::Error);
}

TEST_CASE("a plugin's attach creates an actor below /system, and the shutdown waits for its hook") {
  CounterTest system;
  system.use<actord::Behaviours<Exporter>, actord::Module<Exporting>>();
  system.spawn<Counter>("counter", Counter::Config{});
  CHECK(system.find("/system/exporter"));
  CHECK(system.shut_down());
  CHECK(system.events("exporter.last").size() == 1);
}

TEST_CASE("an event under a name of actord's own is written as plugin.event") {
  CounterTest system;
  system.use<actord::Behaviours<>, actord::Messages<Ball>>();
  const auto liar = system.spawn<Liar>("liar");
  system.send(liar, Ball{});
  CHECK(system.events("daemon.stopped").empty());
  CHECK(system.events("plugin.event").size() == 2);
  CHECK(system.expect_event("plugin.event").field("plugin.event") == "daemon.stopped");
  CHECK(system.expect_event("plugin.event").field("plugin.event") == "actor.failed");
  CHECK(system.events("liar.event").size() == 1);
}

TEST_CASE("only plugins older than ABI 1.5 write the events of a back-off supervisor by name") {
  for (const std::uint16_t abi_minor : {std::uint16_t{4}, std::uint16_t{ACTORD_ABI_MINOR}}) {
    CAPTURE(abi_minor);
    CounterTest system;
    actord_plugin plugin =
        *actord::plugin_table<actord::Behaviours<OldGuard>, actord::Messages<Ball>>("old", "1");
    plugin.abi_minor = abi_minor;
    system.use(&plugin);
    system.send(system.spawn("guard", "old/OldGuard"), Ball{});
    const std::size_t is_old = abi_minor < 5 ? 1 : 0;
    CHECK(system.events("actor.backoff").size() == is_old);
    CHECK(system.events("supervisor.limit").size() == is_old);
    CHECK(system.events("supervisor.storm").empty());
    CHECK(system.events("plugin.event").size() == 3 - 2 * is_old);
  }
}

TEST_CASE("no warning or error of an author is dropped, however many there are") {
  CounterTest system;
  system.use<actord::Behaviours<>, actord::Messages<Ball>>();
  const auto loud = system.spawn<Loud>("loud");
  system.send(loud, Ball{});
  CHECK(system.events("loud.warning").size() == 3000);
}

TEST_CASE("mailboxes, stashes and the log of dead letters can be limited") {
  CounterTest system(
      {.deployments = {{.pattern = "/user/b*", .mailbox_capacity = 2}}, .dead_letters_logged = 1});
  auto bounded = system.probe("bounded"), free = system.probe("free");
  for (const auto& each : {bounded, free}) {
    for (int i = 0; i < 5; ++i) system.tell(each.ref(), Add{i});
  }
  CHECK(bounded.waiting() == 2);
  CHECK(free.waiting() == 5);
  CHECK(system.events("deadletter").size() == 1);
}

TEST_CASE("circuit breakers that actors share have the settings that the test chooses") {
  const auto opens = [](const std::string& name) {
    CounterTest system({.circuit_breakers = {{name, {.max_failures = 2}}}});
    const actord::Ref fused = system.spawn<Fused>("fused");
    for (int i = 0; i < 2; ++i) system.send(fused, Add{i});
    return !system.events("breaker.changed").empty();
  };
  CHECK(opens("fuse"));
  CHECK(opens("default"));
  CHECK_FALSE(opens("other"));
  CHECK_THROWS_AS(
      CounterTest({.circuit_breakers = {{"fuse", {.reset_timeout = std::chrono::hours{2}}}}}),
      actord::Error);
}

TEST_CASE("what a full mailbox does, and its order, can be chosen as in a configuration") {
  CounterTest system({.deployments = {{.pattern = "/user/newest",
                                       .mailbox_capacity = 2,
                                       .overflow = "drop-old",
                                       .priority = {"*"}}}});
  auto newest = system.probe("newest");
  for (int i = 1; i <= 5; ++i) system.tell(newest.ref(), Add{i});
  CHECK(newest.waiting() == 2);
  CHECK_THROWS_AS(
      CounterTest(
          {.deployments = {{.pattern = "/user/*", .mailbox_capacity = 1, .overflow = "?"}}}),
      actord::Error);
}

TEST_SUITE_END();
