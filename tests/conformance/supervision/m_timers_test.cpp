// SPDX-License-Identifier: Apache-2.0
//
// Timers and the receive timeout: items 159 to 162, 164, 165 and 167.
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("159 timers are cancelled before preRestart and before postStop") {
  under_seeds([](SeededTest& test) {
    int hooks = 0;
    const auto no_timer_is_left = [&](ScriptedActor& actor) {
      ++hooks;
      CHECK(actor.test().world.simulator().timers().size() == 0);
    };
    Script script{.post_stop = [&](ScriptedActor& actor, Context&) { no_timer_is_left(actor); }};
    script.pre_restart = [&](ScriptedActor& actor, Context&, const Failure&) {
      no_timer_is_left(actor);
    };
    const Ref child = test.spawn("child", script);
    const auto start = [](ScriptedActor&, Context& ctx) {
      ctx.start_timer("once", 10ms, Note{1});
      ctx.start_timer("often", 10ms, Note{2}, 10ms);
    };
    test.perform(child, start);
    test.fail<Restarting>(child);
    test.world.advance(1s);
    CHECK(test.life_of("child").find("got") == std::string::npos);
    test.perform(child, start);
    test.stop(child);
    CHECK(hooks == 2);
  });
}

TEST_CASE("159 a timer started in preRestart or in postStop is gone with them") {
  under_seeds([](SeededTest& test) {
    const auto start = [](ScriptedActor&, Context& ctx) {
      ctx.start_timer("late", 10ms, Letter{std::string(100, 'x')}, 10ms);
      ctx.receive_timeout(10ms);
      ctx.ask<&ScriptedActor::asked>(Ref{}, Question{1}, 10ms);
    };
    Script script{.post_stop = start};
    script.pre_restart = [=](ScriptedActor& actor, Context& ctx, const Failure&) {
      start(actor, ctx);
    };
    const Ref child = test.spawn("child", script);
    test.fail<Restarting>(child);
    CHECK(test.world.simulator().timers().size() == 0);
    test.world.advance(1s);
    CHECK(test.life_of("child").find("silence") == std::string::npos);
    CHECK(test.life_of("child").find("refused") == std::string::npos);
    CHECK(test.world.events("message.unhandled").empty());
    test.stop(child);
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("160 a timer of a restart that failed does not reach the one that succeeds") {
  under_seeds([](SeededTest& test) {
    int times = 1;
    const Ref boss = test.spawn("boss", deciding(Directive::restart));
    const Ref child = test.spawn_under(
        boss, "child", {.post_restart = [&](ScriptedActor&, Context& ctx, const Failure&) {
          if (times-- <= 0) return;
          ctx.start_timer("half", 10ms, Note{1});
          ctx.ask<&ScriptedActor::asked>(ctx.parent(), Question{1}, 10ms);
          throw Restarting("not yet");
        }});
    test.fail<Restarting>(child);
    REQUIRE(test.answers(child));
    test.world.advance(1s);
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("child reply 1") == 0);
  });
}

TEST_CASE("160 a tick already queued for an earlier incarnation is discarded") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child,
                 [](ScriptedActor&, Context& ctx) { ctx.start_timer("key", 10ms, Note{1}); });
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.queue_failure<Restarting>(child);
    test.world.advance(10ms);  // the tick is queued behind the failing message
    test.note(child, 2);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("child got 2") == 1);
    CHECK(test.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("160 a tick already queued of a cancelled or replaced timer is discarded") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) {
      ctx.start_timer("cancelled", 10ms, Note{1});
      ctx.start_timer("replaced", 10ms, Note{2});
    });
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.queue(child, [](ScriptedActor&, Context& ctx) {
      ctx.cancel_timer("cancelled");
      ctx.start_timer("replaced", 10ms, Note{3});
    });
    test.world.advance(10ms);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    CHECK(test.life_of("child") == "new 0, pre_start 0");
    test.world.advance(10ms);
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 3");
  });
}

TEST_CASE("161 when a timer's message fails preRestart sees that message") {
  under_seeds([](SeededTest& test) {
    int seen = 0;
    Script script{
        .question = [](ScriptedActor&, Context&, const Question&) { throw Restarting("boom"); }};
    script.pre_restart = [&](ScriptedActor&, Context& ctx, const Failure&) {
      if (const Question* const asked = ctx.message_as<Question>()) seen = asked->n;
      CHECK(ctx.sender() == ctx.self());
    };
    const Ref child = test.spawn("child", script);
    test.perform(child,
                 [](ScriptedActor&, Context& ctx) { ctx.start_timer("key", 1ms, Question{7}); });
    test.world.advance(1ms);
    CHECK(seen == 7);
    CHECK(test.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("162 PoisonPill and Kill work by timer") {
  under_seeds([](SeededTest& test) {
    const Ref poisoned = test.spawn("poisoned");
    const Ref killed = test.spawn("killed");
    test.perform(poisoned,
                 [](ScriptedActor&, Context& ctx) { ctx.start_timer("end", 5ms, PoisonPill{}); });
    test.perform(killed, [](ScriptedActor&, Context& ctx) { ctx.start_timer("end", 5ms, Kill{}); });
    test.world.advance(4ms);
    CHECK(test.is_alive(poisoned));
    test.world.advance(1ms);
    CHECK_FALSE(test.is_alive(poisoned));
    CHECK_FALSE(test.is_alive(killed));
    CHECK(test.count("poisoned post_stop 0") == 1);
    CHECK(test.world.events("actor.failed").size() == 1);
  });
}

TEST_CASE("164 a periodic timer keeps its delay and never bursts after a pause") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(
        child, [](ScriptedActor&, Context& ctx) { ctx.start_timer("often", 5ms, Note{1}, 10ms); });
    test.world.advance(4ms);
    CHECK(test.count("child got 1") == 0);
    test.world.advance(1ms);
    CHECK(test.count("child got 1") == 1);
    test.world.advance(30ms);
    CHECK(test.count("child got 1") == 4);
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.world.advance(1s);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 5);
    test.world.advance(10ms);
    CHECK(test.count("child got 1") == 6);
  });
}

TEST_CASE("165 the receive timeout fires after each silence, and activity re-arms it") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const auto silences = [&] { return test.count("child silence 10 ms"); };
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(10ms); });
    test.world.advance(9ms);
    CHECK(silences() == 0);
    test.world.advance(1ms);
    CHECK(silences() == 1);
    test.world.advance(20ms);
    CHECK(silences() == 3);
    test.world.advance(6ms);
    test.world.send(child.value, Note{1});
    test.world.advance(9ms);
    CHECK(silences() == 3);
    test.world.advance(1ms);
    CHECK(silences() == 4);
    test.world.advance(6ms);
    test.world.send(child.value, BackgroundMessage{});  // marked as no activity
    test.world.advance(4ms);
    CHECK(test.count("child background message") == 1);
    CHECK(silences() == 5);
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(50ms); });
    test.world.advance(49ms);
    CHECK(silences() == 5);
    CHECK(test.count("child silence 50 ms") == 0);
    test.world.advance(1ms);
    CHECK(test.count("child silence 50 ms") == 1);
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(0ms); });
    test.world.advance(1h);
    CHECK(test.count("child silence 50 ms") == 1);
  });
}

TEST_CASE("166 a receive timeout set in preStart holds, also in that of a restart") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn(
        "child", {.pre_start = [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(10ms); }});
    test.world.advance(10ms);
    CHECK(test.count("child silence 10 ms") == 1);
    test.fail<Restarting>(child);
    test.world.advance(10ms);
    CHECK(test.count("child silence 10 ms") == 2);
    test.stop(child);
    test.world.advance(1s);
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("167 a restart clears the receive timeout") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.receive_timeout(10ms); });
    test.world.advance(10ms);
    CHECK(test.count("child silence 10 ms") == 1);
    test.fail<Restarting>(child);
    test.world.advance(1h);
    CHECK(test.count("child silence 10 ms") == 1);
  });
}

TEST_CASE("164 the longest durations never end, and none is in the past") {
  under_seeds([](SeededTest& test) {
    constexpr auto for_ever = std::chrono::nanoseconds::max();
    const Ref silent =
        test.spawn("silent", {.question = [](ScriptedActor&, Context&, const Question&) {}});
    const Ref child = test.spawn("child");
    test.perform(child, [&](ScriptedActor&, Context& ctx) {
      ctx.start_timer("late", for_ever, Note{1});
      ctx.start_timer("rare", 1ms, Note{2}, for_ever);
      ctx.start_timer_at_fixed_rate("rarer", 1ms, Note{3}, for_ever);
      ctx.receive_timeout(for_ever);
      ctx.ask<&ScriptedActor::asked>(silent, Question{4}, for_ever);
      CHECK(ctx.system().schedule(ctx.self(), for_ever, Note{5}) != 0);
    });
    test.world.advance(1h);
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 2, got 3");
    CHECK(test.is_alive(silent));
  });
}

}  // namespace actord::conformance
