// SPDX-License-Identifier: Apache-2.0
//
// Timers that are asked about, and messages that no incarnation owns: items 159, 163 and 164.
#include "play.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t ms = 1'000'000;

std::uint64_t schedule(Play& play, Ref to, system::Rhythm rhythm, int n) {
  Note note{n};
  return play.world.system().schedule(to.value, rhythm, detail::listed_type_id<Note>(), &note);
}

/// Cannot be copied any more as soon as a case says so.
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
  under_seeds([](Play& play) {
    const auto note_timers = [](Puppet& puppet, Context& ctx) {
      puppet.record(ctx.has_timer("tick") ? "timer" : "no timer");
    };
    const Ref child =
        play.spawn("child", {.post_stop = note_timers,
                             .pre_restart = [=](Puppet& puppet, Context& ctx, const Failure&) {
                               note_timers(puppet, ctx);
                             }});
    const auto start = [&](Puppet& puppet, Context& ctx) {
      ctx.start_timer("tick", 1s, Note{1}, 1s);
      note_timers(puppet, ctx);
    };
    play.perform(child, start);
    CHECK(play.count("child timer") == 1);
    play.fail<Restarting>(child);
    CHECK(play.count("child no timer") == 1);
    play.perform(child, start);
    play.stop(child);
    CHECK(play.count("child no timer") == 2);
    play.world.advance(10s);
    CHECK(play.count("child got 1") == 0);
  });
}

TEST_CASE("163 a scheduled message belongs to no incarnation and ends with its receiver") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    CHECK(schedule(play, child, {10 * ms, 10 * ms, false}, 1) != 0);
    CHECK(schedule(play, child, {15 * ms, 0, false}, 2) != 0);
    play.world.advance(10ms);
    play.fail<Restarting>(child);
    play.world.advance(10ms);
    CHECK(play.count("child got 1") == 2);
    CHECK(play.count("child got 2") == 1);
    play.stop(child);
    play.world.advance(10ms);
    CHECK(play.world.simulator().timers().size() == 0);
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("163 a scheduled message can be cancelled, once") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const std::uint64_t id = schedule(play, child, {10 * ms, 10 * ms, false}, 1);
    play.world.advance(10ms);
    CHECK(play.world.system().cancel(id));
    CHECK_FALSE(play.world.system().cancel(id));
    play.world.advance(1s);
    CHECK(play.count("child got 1") == 1);
  });
}

TEST_CASE("163 what an actor schedules for somebody outlives its restart and its end") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child"), friend_ = play.spawn("friend");
    std::uint64_t late = 0;
    play.perform(child, [&](Puppet&, Context& ctx) {
      CHECK(ctx.schedule_once(10ms, friend_, Note{1}) != 0);
      CHECK(ctx.schedule_once(30ms, ctx.self(), Note{2}) != 0);
      late = ctx.schedule_once(40ms, friend_, Note{3});
    });
    play.fail<Restarting>(child);
    play.world.advance(9ms);
    CHECK(play.count("friend got 1") == 0);
    play.world.advance(1ms);
    CHECK(play.count("friend got 1") == 1);
    play.world.advance(20ms);
    CHECK(play.count("child got 2") == 1);
    play.stop(child);
    play.perform(friend_, [&](Puppet&, Context& ctx) {
      CHECK(ctx.system().cancel(late));
      CHECK_FALSE(ctx.system().cancel(late));
    });
    play.world.advance(1s);
    CHECK(play.count("friend got 3") == 0);
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("163 nothing is scheduled once the system goes down, and what was is gone") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    CHECK(schedule(play, child, {10 * ms, 0, false}, 1) != 0);
    CHECK(play.world.shut_down());
    CHECK(schedule(play, child, {10 * ms, 0, false}, 2) == 0);
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("163 a repeated message that cannot be copied ends its repetition") {
  Play::Setup setup;
  setup.before_start = [](Play& play) {
    play.world.use(*plugin_table<Behaviours<>, Messages<Brittle>>("brittle", "1"));
  };
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        Brittle::is_broken = false;
        Brittle message;
        CHECK(play.world.system().schedule(child.value, {10 * ms, 10 * ms, false},
                                           detail::listed_type_id<Brittle>(), &message) != 0);
        play.world.advance(20ms);
        CHECK(play.world.events("message.unhandled").size() == 2);
        CHECK(play.world.simulator().timers().size() == 1);
        Brittle::is_broken = true;
        play.world.advance(20ms);
        CHECK(play.world.events("message.unhandled").size() == 2);
        CHECK(play.world.simulator().timers().size() == 0);
      },
      setup);
}

// Nothing else runs before the clock has passed all three times: the actor is late for each.
TEST_CASE("164 a fixed rate makes up for what was late, a fixed delay does not") {
  under_seeds([](Play& play) {
    const Ref steady = play.spawn("steady");
    const Ref lazy = play.spawn("lazy");
    const Ref boss = play.spawn("boss");
    static_cast<void>(boss);
    play.perform(steady, [](Puppet&, Context& ctx) {
      ctx.start_timer_at_fixed_rate("rate", 10ms, Note{1}, 10ms);
    });
    play.perform(lazy,
                 [](Puppet&, Context& ctx) { ctx.start_timer("delay", 10ms, Note{1}, 10ms); });
    for (const Ref each : {steady, lazy}) play.order(each, actor::Order::suspend);
    play.world.advance(45ms);
    CHECK(play.count("steady got 1") == 0);
    for (const Ref each : {steady, lazy}) play.order(each, actor::Order::resume);
    play.world.advance(0ms);
    CHECK(play.count("steady got 1") == 4);
    CHECK(play.count("lazy got 1") == 1);
    play.world.advance(10ms);
    CHECK(play.count("steady got 1") == 5);
    CHECK(play.count("lazy got 1") == 2);
  });
}

}  // namespace actord::conformance
