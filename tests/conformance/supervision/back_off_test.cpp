// SPDX-License-Identifier: Apache-2.0
//
// Back-off in the cell: a restart that waits, with reference, mailbox and watches kept.
#include "play.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t ms = 1'000'000;

/// 100 ms doubled up to 800 ms, without a random part; 200 ms of good life reset it.
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

/// Fails the child and lets the delay pass, which is answered.
std::int64_t fail_and_wait(Play& play, Ref child) {
  const std::int64_t begin = play.world.now_ns();
  play.fail<Restarting>(child);
  const std::uint32_t before = play.world.incarnation(child.value);
  while (play.world.incarnation(child.value) == before) {
    REQUIRE(play.world.simulator().advance_to_next_timer());
  }
  return play.world.now_ns() - begin;
}

bool is_waiting(Play& play, Ref child) {
  return play.cell(child).life.stage() == actor::Stage::backing_off;
}

}  // namespace

TEST_CASE("back-off: consecutive restarts wait twice as long each time, up to the maximum") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    const std::int64_t expected[] = {100, 200, 400, 800, 800, 800};
    for (const std::int64_t each : expected) CHECK(fail_and_wait(play, child) == each * ms);
    const auto lines = play.world.events("actor.backoff");
    REQUIRE(lines.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(delay_of(lines[i]) == expected[i] * ms);
    CHECK(play.answers(child));
  });
}

TEST_CASE("back-off: a good life of reset-after begins anew, a shorter one does not") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    CHECK(fail_and_wait(play, child) == 100 * ms);
    CHECK(fail_and_wait(play, child) == 200 * ms);
    play.world.advance(199ms);
    CHECK(fail_and_wait(play, child) == 400 * ms);
    play.world.advance(200ms);
    CHECK(fail_and_wait(play, child) == 100 * ms);
    CHECK(fail_and_wait(play, child) == 200 * ms);
  });
}

TEST_CASE("back-off: the good life is that of the last incarnation, whoever restarted it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Patient>("boss", {.keeps_children = true});
    const Ref child = play.spawn_under(boss, "child");
    CHECK(fail_and_wait(play, child) == 100 * ms);
    play.world.advance(150ms);
    play.fail<Restarting>(boss);
    CHECK(play.world.incarnation(child.value) == 2);
    play.world.advance(150ms);
    CHECK(fail_and_wait(play, child) == 200 * ms);
  });
}

TEST_CASE("back-off: after an escalation the supervisor's own good life counts") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn<Patient>("top");
    const Ref boss =
        play.spawn_under<Judge>(top, "boss", {.pre_start = [](Puppet& puppet, Context& ctx) {
                                  ctx.spawn<Puppet>("child", &puppet.play(), Part{});
                                }});
    for (const std::int64_t expected : {100, 200, 400}) {
      play.fail<Escalating>(play.find("/user/top/boss/child"));
      CHECK(is_waiting(play, boss));
      CHECK(delay_of(play.world.events("actor.backoff").back()) == expected * ms);
      play.world.advance(std::chrono::milliseconds(expected));
      CHECK(play.answers(boss));
    }
    play.world.advance(200ms);
    play.fail<Escalating>(play.find("/user/top/boss/child"));
    CHECK(delay_of(play.world.events("actor.backoff").back()) == 100 * ms);
    play.world.advance(100ms);
  });
}

TEST_CASE("back-off: the random part lengthens the delay, differently each time") {
  under_seeds([](Play& play) {
    using Jittery = Boss<[] {
      return one_for_one().backoff({.min = 100ms, .max = 100ms, .random_factor = 0.5});
    }>;
    const Ref child = play.spawn_under(play.spawn<Jittery>("boss"), "child");
    std::map<std::int64_t, int> delays;
    for (int i = 0; i < 10; ++i) {
      const std::int64_t delay = fail_and_wait(play, child);
      CHECK(delay >= 100 * ms);
      CHECK(delay < 150 * ms);
      ++delays[delay];
    }
    CHECK(delays.size() > 5);
  });
}

TEST_CASE("back-off: the old instance goes at once, the new one comes after the delay") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    const Ref kid = play.spawn_under(child, "kid");
    const int before = play.living;
    play.fail<Restarting>(child);
    CHECK(play.life_of("child") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK_FALSE(play.is_alive(kid));
    CHECK(play.living == before - 2);
    play.world.advance(99ms);
    CHECK(play.count("child new 1") == 0);
    play.world.advance(1ms);
    CHECK(play.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
  });
}

TEST_CASE("back-off: children are awaited before the delay begins, and kept ones stay suspended") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Patient>("boss");
    const Ref child = play.spawn_under(boss, "child", {.keeps_children = true});
    const Ref kept = play.spawn_under(child, "kept");
    play.fail<Restarting>(child);
    play.note(kept, 1);
    play.world.advance(99ms);
    CHECK(play.count("kept got 1") == 0);
    play.world.advance(1ms);
    CHECK(play.count("kept got 1") == 1);
    CHECK(play.world.incarnation(kept.value) == 1);
    CHECK(play.cell(kept).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: reference, path, mail and watches are kept") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.note(child, 1);
    play.queue_failure<Restarting>(child);
    play.note(child, 2);
    play.world.run();
    play.note(child, 3);
    play.world.advance(100ms);
    CHECK(play.find("/user/boss/child") == child);
    CHECK(play.came_in_order({"child got 1", "child new 1", "child got 2", "child got 3"}));
    CHECK(play.life_of("watcher") == "new 0, pre_start 0");
    play.stop(child);
    CHECK(play.count(ended("watcher", "child", "stopped")) == 1);
  });
}

TEST_CASE("back-off: beyond its capacity mail becomes dead letters, and only while it waits") {
  under_seeds([](Play& play) {
    using Small =
        Boss<[] { return one_for_one().backoff({.min = 100ms, .max = 100ms, .capacity = 3}); }>;
    const auto& letters = play.read_dead_letters();
    const Ref child = play.spawn_under(play.spawn<Small>("boss"), "child");
    for (std::size_t round = 1; round <= 3; ++round) {
      play.fail<Restarting>(child);
      REQUIRE(is_waiting(play, child));
      for (int i = 1; i <= 5; ++i) play.note(child, i);
      play.world.run();
      REQUIRE(letters.size() == 2 * round);
      CHECK(letters.back().reason == "backoff-full");
      CHECK(letters.back().recipient == child);
      play.world.advance(1s);
      CHECK(play.count("child got 3") == static_cast<int>(round));
      CHECK(play.count("child got 4") == 0);
    }
    for (int i = 10; i < 30; ++i) play.note(child, i);
    play.world.run();
    CHECK(play.count("child got 29") == 1);
    CHECK(letters.size() == 6);
  });
}

TEST_CASE("back-off: stopped while it waits the actor ends at once") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.fail<Restarting>(child);
    play.note(child, 1);
    play.stop(child);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.world.simulator().timers().size() == 0);
    CHECK(play.count(ended("watcher", "child", "stopped")) == 1);
    CHECK(play.life_of("child") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK(play.world.events("deadletter").size() == 1);
    play.world.advance(1s);
    CHECK(play.count("child new 1") == 0);
  });
}

TEST_CASE("back-off: the system's end does not wait for the delay") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    play.fail<Restarting>(child);
    const std::int64_t begin = play.world.now_ns();
    CHECK(play.world.shut_down());
    CHECK(play.world.now_ns() == begin);
    CHECK(play.count("child new 1") == 0);
  });
}

TEST_CASE("back-off: the parent's own restart ends the wait of a child it stops") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Patient>("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.fail<Restarting>(child);
    play.fail<Restarting>(boss);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.answers(boss));
    CHECK(play.answers(play.spawn_under(boss, "child")));
  });
}

TEST_CASE("back-off: the parent's own restart reaches a child it keeps after the wait") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Patient>("boss", {.keeps_children = true});
    const Ref child = play.spawn_under(boss, "child");
    play.fail<Restarting>(child);
    play.fail<Restarting>(boss);
    CHECK(play.answers(boss));
    CHECK(is_waiting(play, child));
    play.note(child, 1);
    play.world.advance(100ms);
    CHECK(play.answers(child));
    CHECK(play.cell(child).life.suspensions() == 0);
    CHECK(play.count("child got 1") == 1);
  });
}

TEST_CASE("back-off: all for one waits once for the group") {
  under_seeds([](Play& play) {
    using Together =
        Boss<[] { return all_for_one().otherwise(Directive::restart).backoff(steady); }>;
    const Ref boss = play.spawn<Together>("boss");
    const Ref one = play.spawn_under(boss, "one");
    const Ref two = play.spawn_under(boss, "two");
    play.fail<Restarting>(one);
    CHECK(is_waiting(play, one));
    CHECK(is_waiting(play, two));
    CHECK(play.world.events("actor.failed").size() == 1);
    for (const auto& line : play.world.events("actor.backoff")) CHECK(delay_of(line) == 100 * ms);
    play.world.advance(99ms);
    CHECK(play.world.events("actor.restarted").empty());
    play.world.advance(1ms);
    CHECK(play.world.incarnation(one.value) == 1);
    CHECK(play.world.incarnation(two.value) == 1);
    CHECK(play.answers(one));
    CHECK(play.answers(two));
  });
}

TEST_CASE("back-off: the budget is asked first, and a denied restart does not wait") {
  under_seeds([](Play& play) {
    using Limited = Boss<[] { return one_for_one({.max_restarts = 2}).backoff(steady); }>;
    const Ref child = play.spawn_under(play.spawn<Limited>("boss"), "child");
    CHECK(fail_and_wait(play, child) == 100 * ms);
    CHECK(fail_and_wait(play, child) == 200 * ms);
    play.fail<Restarting>(child);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.world.events("supervisor.limit").size() == 1);
    CHECK(play.world.events("actor.backoff").size() == 2);
  });
}

TEST_CASE("back-off: resume and stop do not wait") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    play.fail<Resuming>(child);
    CHECK(play.answers(child));
    play.fail<Stopping>(child);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.world.events("actor.backoff").empty());
  });
}

TEST_CASE("back-off: a creation that fails is tried again after growing delays") {
  under_seeds([](Play& play) {
    int times = 3;
    const Ref boss = play.spawn<Patient>("boss");
    const Ref child =
        play.spawn_under(boss, "child", {.pre_start = [&](Puppet& puppet, Context& ctx) {
                           ctx.spawn<Puppet>("kid", &puppet.play(), Part{});
                           if (times-- > 0) throw Restarting("not yet");
                         }});
    play.note(child, 1);
    play.world.run();
    for (const int delay : {100, 200, 400}) {
      CHECK(is_waiting(play, child));
      CHECK(delay_of(play.world.events("actor.backoff").back()) == delay * ms);
      play.world.advance(std::chrono::milliseconds(delay));
    }
    CHECK(play.count("child got 1") == 1);
    CHECK(play.count("child post_restart 3") == 0);
    CHECK(play.answers(child));
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: a re-creation that fails waits longer the next time") {
  under_seeds([](Play& play) {
    int times = 2;
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child",
                                       {.post_restart = [&](Puppet&, Context&, const Failure&) {
                                         if (times-- > 0) throw Restarting("not yet");
                                       }});
    play.fail<Restarting>(child);
    play.world.advance(100ms);
    CHECK(is_waiting(play, child));
    play.world.advance(200ms);
    CHECK(is_waiting(play, child));
    play.world.advance(400ms);
    CHECK(play.answers(child));
    CHECK(play.count("child pre_restart 0") == 1);
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("back-off: failed, backoff and restarted tell one story") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Patient>("boss"), "child");
    play.world.forget_events();
    fail_and_wait(play, child);
    const auto& events = play.world.events();
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
