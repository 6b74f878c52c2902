// SPDX-License-Identifier: Apache-2.0
//
// Back-off in the cell: a restart that waits and keeps reference, mailbox and watches.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// 100 ms doubled up to 800 ms, without a random part; 200 ms without a failure reset it.
constexpr Backoff steady{.min = 100ms, .max = 800ms, .random_factor = 0, .reset_after = 200ms};

using Patient = Boss<[] {
  return one_for_one()
      .on<Resuming>(Directive::resume)
      .on<Stopping>(Directive::stop)
      .otherwise(Directive::restart)
      .backoff(steady);
}>;

std::int64_t delay_of(const testkit::SeenEvent& event) {
  return std::stoll(std::string{event.field("restart.delay")});
}

/// Fails the child and lets the delay pass; returns the delay.
std::int64_t fail_and_wait(SeededTest& test, Ref child) {
  const std::int64_t begin = test.world.now_ns();
  test.fail<Restarting>(child);
  const std::uint32_t before = test.world.incarnation(child.value);
  while (test.world.incarnation(child.value) == before) {
    REQUIRE(test.world.simulator().advance_to_next_timer());
  }
  return test.world.now_ns() - begin;
}

bool is_waiting(SeededTest& test, Ref child) {
  return test.cell(child).life.stage() == actor::Stage::backing_off;
}

}  // namespace

TEST_CASE("back-off: consecutive restarts wait twice as long each time, up to the maximum") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    const std::int64_t expected[] = {100, 200, 400, 800, 800, 800};
    for (const std::int64_t each : expected) CHECK(fail_and_wait(test, child) == each * ms);
    const auto lines = test.world.events("actor.backoff");
    REQUIRE(lines.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(delay_of(lines[i]) == expected[i] * ms);
    CHECK(test.answers(child));
  });
}

TEST_CASE("back-off: reset-after without a failure resets the delay, a shorter time does not") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    CHECK(fail_and_wait(test, child) == 100 * ms);
    CHECK(fail_and_wait(test, child) == 200 * ms);
    test.world.advance(199ms);
    CHECK(fail_and_wait(test, child) == 400 * ms);
    test.world.advance(200ms);
    CHECK(fail_and_wait(test, child) == 100 * ms);
    CHECK(fail_and_wait(test, child) == 200 * ms);
  });
}

TEST_CASE(
    "back-off: only the last incarnation's failure-free time counts, however it was restarted") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Patient>("boss", {.keeps_children = true});
    const Ref child = test.spawn_under(boss, "child");
    CHECK(fail_and_wait(test, child) == 100 * ms);
    test.world.advance(150ms);
    test.fail<Restarting>(boss);
    CHECK(test.world.incarnation(child.value) == 2);
    test.world.advance(150ms);
    CHECK(fail_and_wait(test, child) == 200 * ms);
  });
}

TEST_CASE("back-off: after an escalation the supervisor's own failure-free time counts") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Patient>("top");
    const Ref boss =
        test.spawn_under<Judge>(top, "boss", {.pre_start = [](ScriptedActor& actor, Context& ctx) {
                                  ctx.spawn<ScriptedActor>("child", &actor.test(), Script{});
                                }});
    for (const std::int64_t expected : {100, 200, 400}) {
      test.fail<Escalating>(test.find("/user/top/boss/child"));
      CHECK(is_waiting(test, boss));
      CHECK(delay_of(test.world.events("actor.backoff").back()) == expected * ms);
      test.world.advance(std::chrono::milliseconds(expected));
      CHECK(test.answers(boss));
    }
    test.world.advance(200ms);
    test.fail<Escalating>(test.find("/user/top/boss/child"));
    CHECK(delay_of(test.world.events("actor.backoff").back()) == 100 * ms);
    test.world.advance(100ms);
  });
}

TEST_CASE("back-off: the random part lengthens the delay, differently each time") {
  under_seeds([](SeededTest& test) {
    using Jittery = Boss<[] {
      return one_for_one().backoff({.min = 100ms, .max = 100ms, .random_factor = 0.5});
    }>;
    const Ref child = test.spawn_under(test.spawn<Jittery>("boss"), "child");
    std::map<std::int64_t, int> delays;
    for (int i = 0; i < 10; ++i) {
      const std::int64_t delay = fail_and_wait(test, child);
      CHECK(delay >= 100 * ms);
      CHECK(delay < 150 * ms);
      ++delays[delay];
    }
    CHECK(delays.size() > 5);
  });
}

TEST_CASE("back-off: the old instance goes at once, the new one comes after the delay") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    const Ref kid = test.spawn_under(child, "kid");
    const int before = test.living;
    test.fail<Restarting>(child);
    CHECK(test.life_of("child") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK_FALSE(test.is_alive(kid));
    CHECK(test.living == before - 2);
    test.world.advance(99ms);
    CHECK(test.count("child new 1") == 0);
    test.world.advance(1ms);
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
  });
}

TEST_CASE("back-off: children are awaited before the delay begins, and kept ones stay suspended") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Patient>("boss");
    const Ref child = test.spawn_under(boss, "child", {.keeps_children = true});
    const Ref kept = test.spawn_under(child, "kept");
    test.fail<Restarting>(child);
    test.note(kept, 1);
    test.world.advance(99ms);
    CHECK(test.count("kept got 1") == 0);
    test.world.advance(1ms);
    CHECK(test.count("kept got 1") == 1);
    CHECK(test.world.incarnation(kept.value) == 1);
    CHECK(test.cell(kept).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: reference, path, mail and watches are kept") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.note(child, 1);
    test.queue_failure<Restarting>(child);
    test.note(child, 2);
    test.world.run();
    test.note(child, 3);
    test.world.advance(100ms);
    CHECK(test.find("/user/boss/child") == child);
    CHECK(test.came_in_order({"child got 1", "child new 1", "child got 2", "child got 3"}));
    CHECK(test.life_of("watcher") == "new 0, pre_start 0");
    test.stop(child);
    CHECK(test.count(ended("watcher", "child", "stopped")) == 1);
  });
}

TEST_CASE("back-off: beyond its capacity mail becomes dead letters, and only while it waits") {
  under_seeds([](SeededTest& test) {
    using Small =
        Boss<[] { return one_for_one().backoff({.min = 100ms, .max = 100ms, .capacity = 3}); }>;
    const auto& letters = test.read_dead_letters();
    const Ref child = test.spawn_under(test.spawn<Small>("boss"), "child");
    for (std::size_t round = 1; round <= 3; ++round) {
      test.fail<Restarting>(child);
      REQUIRE(is_waiting(test, child));
      for (int i = 1; i <= 5; ++i) test.note(child, i);
      test.world.run();
      REQUIRE(letters.size() == 2 * round);
      CHECK(letters.back().reason == "backoff-full");
      CHECK(letters.back().recipient == child);
      test.world.advance(1s);
      CHECK(test.count("child got 3") == static_cast<int>(round));
      CHECK(test.count("child got 4") == 0);
    }
    for (int i = 10; i < 30; ++i) test.note(child, i);
    test.world.run();
    CHECK(test.count("child got 29") == 1);
    CHECK(letters.size() == 6);
  });
}

TEST_CASE("back-off: stopped while it waits the actor ends at once") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.fail<Restarting>(child);
    test.note(child, 1);
    test.stop(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.simulator().timers().size() == 0);
    CHECK(test.count(ended("watcher", "child", "stopped")) == 1);
    CHECK(test.life_of("child") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK(test.world.events("deadletter").size() == 1);
    test.world.advance(1s);
    CHECK(test.count("child new 1") == 0);
  });
}

TEST_CASE("back-off: the system's end does not wait for the delay") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    test.fail<Restarting>(child);
    const std::int64_t begin = test.world.now_ns();
    CHECK(test.world.shut_down());
    CHECK(test.world.now_ns() == begin);
    CHECK(test.count("child new 1") == 0);
  });
}

TEST_CASE("back-off: the parent's own restart ends the wait of a child it stops") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Patient>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    test.fail<Restarting>(boss);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.answers(boss));
    CHECK(test.answers(test.spawn_under(boss, "child")));
  });
}

TEST_CASE("back-off: the parent's own restart reaches a child it keeps after the wait") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Patient>("boss", {.keeps_children = true});
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    test.fail<Restarting>(boss);
    CHECK(test.answers(boss));
    CHECK(is_waiting(test, child));
    test.note(child, 1);
    test.world.advance(100ms);
    CHECK(test.answers(child));
    CHECK(test.cell(child).life.suspensions() == 0);
    CHECK(test.count("child got 1") == 1);
  });
}

TEST_CASE("back-off: all for one waits once for the group") {
  under_seeds([](SeededTest& test) {
    using Together =
        Boss<[] { return all_for_one().otherwise(Directive::restart).backoff(steady); }>;
    const Ref boss = test.spawn<Together>("boss");
    const Ref one = test.spawn_under(boss, "one");
    const Ref two = test.spawn_under(boss, "two");
    test.fail<Restarting>(one);
    CHECK(is_waiting(test, one));
    CHECK(is_waiting(test, two));
    CHECK(test.world.events("actor.failed").size() == 1);
    for (const auto& line : test.world.events("actor.backoff")) CHECK(delay_of(line) == 100 * ms);
    test.world.advance(99ms);
    CHECK(test.world.events("actor.restarted").empty());
    test.world.advance(1ms);
    CHECK(test.world.incarnation(one.value) == 1);
    CHECK(test.world.incarnation(two.value) == 1);
    CHECK(test.answers(one));
    CHECK(test.answers(two));
  });
}

TEST_CASE("back-off: the budget is asked first, and a denied restart does not wait") {
  under_seeds([](SeededTest& test) {
    using Limited = Boss<[] { return one_for_one({.max_restarts = 2}).backoff(steady); }>;
    const Ref child = test.spawn_under(test.spawn<Limited>("boss"), "child");
    CHECK(fail_and_wait(test, child) == 100 * ms);
    CHECK(fail_and_wait(test, child) == 200 * ms);
    test.fail<Restarting>(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.events("supervisor.limit").size() == 1);
    CHECK(test.world.events("actor.backoff").size() == 2);
  });
}

TEST_CASE("back-off: resume and stop do not wait") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    test.fail<Resuming>(child);
    CHECK(test.answers(child));
    test.fail<Stopping>(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.events("actor.backoff").empty());
  });
}

TEST_CASE("back-off: a creation that fails is tried again after growing delays") {
  under_seeds([](SeededTest& test) {
    int times = 3;
    const Ref boss = test.spawn<Patient>("boss");
    const Ref child =
        test.spawn_under(boss, "child", {.pre_start = [&](ScriptedActor& actor, Context& ctx) {
                           ctx.spawn<ScriptedActor>("kid", &actor.test(), Script{});
                           if (times-- > 0) throw Restarting("not yet");
                         }});
    test.note(child, 1);
    test.world.run();
    for (const int delay : {100, 200, 400}) {
      CHECK(is_waiting(test, child));
      CHECK(delay_of(test.world.events("actor.backoff").back()) == delay * ms);
      test.world.advance(std::chrono::milliseconds(delay));
    }
    CHECK(test.count("child got 1") == 1);
    CHECK(test.count("child post_restart 3") == 0);
    CHECK(test.answers(child));
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: a re-creation that fails waits longer the next time") {
  under_seeds([](SeededTest& test) {
    int times = 2;
    const Ref child =
        test.spawn_under(test.spawn<Patient>("boss"), "child",
                         {.post_restart = [&](ScriptedActor&, Context&, const Failure&) {
                           if (times-- > 0) throw Restarting("not yet");
                         }});
    test.fail<Restarting>(child);
    test.world.advance(100ms);
    CHECK(is_waiting(test, child));
    test.world.advance(200ms);
    CHECK(is_waiting(test, child));
    test.world.advance(400ms);
    CHECK(test.answers(child));
    CHECK(test.count("child pre_restart 0") == 1);
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: the events failed, backoff and restarted agree") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Patient>("boss"), "child");
    test.world.forget_events();
    fail_and_wait(test, child);
    const auto& events = test.world.events();
    REQUIRE(events.size() == 3);
    CHECK(events[0].name == "actor.failed");
    CHECK(events[1].name == "actor.backoff");
    CHECK(events[2].name == "actor.restarted");
    for (const auto& event : events) {
      CHECK(event.field("failure.id") == events[0].field("failure.id"));
      CHECK(event.field("actor.path") == "/user/boss/child");
    }
    CHECK(delay_of(events[0]) == 100 * ms);
    CHECK(events[2].at_ns - events[1].at_ns == 100 * ms);
  });
}

}  // namespace actord::conformance
