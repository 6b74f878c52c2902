// SPDX-License-Identifier: Apache-2.0
//
// Queries about timers, and messages that belong to no incarnation: items 159, 163 and 164.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

std::uint64_t schedule(SeededTest& test, Ref to, system::TimerSpec spec, int n) {
  Note note{n};
  return test.world.system().schedule(to.value, spec, detail::listed_type_id<Note>(), &note);
}

/// Cannot be copied after a case has set `is_broken`.
struct Brittle {
  static inline bool is_broken = false;

  Brittle() = default;
  Brittle(Brittle&&) noexcept = default;
  Brittle(const Brittle& other) : text(other.text) {
    if (is_broken) throw Error("this cannot be copied any more");
  }
  Brittle& operator=(Brittle&&) = default;
  Brittle& operator=(const Brittle&) = default;
  std::string text;
};
ACTORD_MESSAGE(Brittle, "play.Brittle/1", text)

}  // namespace

TEST_CASE("159 inside preRestart and postStop no timer is active any more") {
  under_seeds([](SeededTest& test) {
    const auto note_timers = [](ScriptedActor& actor, Context& ctx) {
      actor.record(ctx.has_timer("tick") ? "timer" : "no timer");
    };
    const Ref child =
        test.spawn("child", {.post_stop = note_timers,
                             .pre_restart = [=](ScriptedActor& actor, Context& ctx,
                                                const Failure&) { note_timers(actor, ctx); }});
    const auto start = [&](ScriptedActor& actor, Context& ctx) {
      ctx.start_timer("tick", 1s, Note{1}, 1s);
      note_timers(actor, ctx);
    };
    test.perform(child, start);
    CHECK(test.count("child timer") == 1);
    test.fail<Restarting>(child);
    CHECK(test.count("child no timer") == 1);
    test.perform(child, start);
    test.stop(child);
    CHECK(test.count("child no timer") == 2);
    test.world.advance(10s);
    CHECK(test.count("child got 1") == 0);
  });
}

TEST_CASE("163 a scheduled message belongs to no incarnation and ends with its receiver") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    CHECK(schedule(test, child, {10 * ms, 10 * ms, false}, 1) != 0);
    CHECK(schedule(test, child, {15 * ms, 0, false}, 2) != 0);
    test.world.advance(10ms);
    test.fail<Restarting>(child);
    test.world.advance(10ms);
    CHECK(test.count("child got 1") == 2);
    CHECK(test.count("child got 2") == 1);
    test.stop(child);
    test.world.advance(10ms);
    CHECK(test.world.simulator().timers().size() == 0);
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("163 a scheduled message can be cancelled, once") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const std::uint64_t id = schedule(test, child, {10 * ms, 10 * ms, false}, 1);
    test.world.advance(10ms);
    CHECK(test.world.system().cancel(id));
    CHECK_FALSE(test.world.system().cancel(id));
    test.world.advance(1s);
    CHECK(test.count("child got 1") == 1);
  });
}

TEST_CASE("163 a message scheduled for another actor outlives the sender's restart and end") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child"), friend_ = test.spawn("friend");
    std::uint64_t late = 0;
    test.perform(child, [&](ScriptedActor&, Context& ctx) {
      CHECK(ctx.schedule_once(10ms, friend_, Note{1}) != 0);
      CHECK(ctx.schedule_once(30ms, ctx.self(), Note{2}) != 0);
      late = ctx.schedule_once(40ms, friend_, Note{3});
    });
    test.fail<Restarting>(child);
    test.world.advance(9ms);
    CHECK(test.count("friend got 1") == 0);
    test.world.advance(1ms);
    CHECK(test.count("friend got 1") == 1);
    test.world.advance(20ms);
    CHECK(test.count("child got 2") == 1);
    test.stop(child);
    test.perform(friend_, [&](ScriptedActor&, Context& ctx) {
      CHECK(ctx.system().cancel(late));
      CHECK_FALSE(ctx.system().cancel(late));
    });
    test.world.advance(1s);
    CHECK(test.count("friend got 3") == 0);
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE(
    "163 nothing is scheduled once the system goes down, and scheduled messages are dropped") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    CHECK(schedule(test, child, {10 * ms, 0, false}, 1) != 0);
    CHECK(test.world.shut_down());
    CHECK(schedule(test, child, {10 * ms, 0, false}, 2) == 0);
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("163 a repeated message that cannot be copied ends its repetition") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.world.use(*plugin_table<Behaviours<>, Messages<Brittle>>("brittle", "1"));
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Brittle::is_broken = false;
        Brittle message;
        CHECK(test.world.system().schedule(child.value, {10 * ms, 10 * ms, false},
                                           detail::listed_type_id<Brittle>(), &message) != 0);
        test.world.advance(20ms);
        CHECK(test.world.events("message.unhandled").size() == 2);
        CHECK(test.world.simulator().timers().size() == 1);
        Brittle::is_broken = true;
        test.world.advance(20ms);
        CHECK(test.world.events("message.unhandled").size() == 2);
        CHECK(test.world.simulator().timers().size() == 0);
      },
      setup);
}

// No other code runs before the clock has passed all three times, so the actor is late for each.
TEST_CASE("164 a fixed rate makes up for what was late, a fixed delay does not") {
  under_seeds([](SeededTest& test) {
    const Ref steady = test.spawn("steady");
    const Ref lazy = test.spawn("lazy");
    const Ref boss = test.spawn("boss");
    static_cast<void>(boss);
    test.perform(steady, [](ScriptedActor&, Context& ctx) {
      ctx.start_timer_at_fixed_rate("rate", 10ms, Note{1}, 10ms);
    });
    test.perform(
        lazy, [](ScriptedActor&, Context& ctx) { ctx.start_timer("delay", 10ms, Note{1}, 10ms); });
    for (const Ref each : {steady, lazy}) test.send_system(each, actor::SystemMessage::suspend());
    test.world.advance(45ms);
    CHECK(test.count("steady got 1") == 0);
    for (const Ref each : {steady, lazy}) test.send_system(each, actor::SystemMessage::resume());
    test.world.advance(0ms);
    CHECK(test.count("steady got 1") == 4);
    CHECK(test.count("lazy got 1") == 1);
    test.world.advance(10ms);
    CHECK(test.count("steady got 1") == 5);
    CHECK(test.count("lazy got 1") == 2);
  });
}

}  // namespace actord::conformance
