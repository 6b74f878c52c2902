// SPDX-License-Identifier: Apache-2.0
//
// Timers and the receive timeout: items 159 to 162, 164, 165 and 167.
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("159 timers are cancelled before preRestart and before postStop") {
  under_seeds([](Play& play) {
    int hooks = 0;
    const auto no_timer_is_left = [&](Puppet& puppet) {
      ++hooks;
      CHECK(puppet.play().world.simulator().timers().size() == 0);
    };
    Part part{.post_stop = [&](Puppet& puppet, Context&) { no_timer_is_left(puppet); }};
    part.pre_restart = [&](Puppet& puppet, Context&, const Failure&) { no_timer_is_left(puppet); };
    const Ref child = play.spawn("child", part);
    const auto start = [](Puppet&, Context& ctx) {
      ctx.start_timer("once", 10ms, Note{1});
      ctx.start_timer("often", 10ms, Note{2}, 10ms);
    };
    play.perform(child, start);
    play.fail<Restarting>(child);
    play.world.advance(1s);
    CHECK(play.life_of("child").find("got") == std::string::npos);
    play.perform(child, start);
    play.stop(child);
    CHECK(hooks == 2);
  });
}

TEST_CASE("159 a timer started in preRestart or in postStop is gone with them") {
  under_seeds([](Play& play) {
    const auto start = [](Puppet&, Context& ctx) {
      ctx.start_timer("late", 10ms, Letter{std::string(100, 'x')}, 10ms);
      ctx.receive_timeout(10ms);
      ctx.ask<&Puppet::asked>(Ref{}, Question{1}, 10ms);
    };
    Part part{.post_stop = start};
    part.pre_restart = [=](Puppet& puppet, Context& ctx, const Failure&) { start(puppet, ctx); };
    const Ref child = play.spawn("child", part);
    play.fail<Restarting>(child);
    CHECK(play.world.simulator().timers().size() == 0);
    play.world.advance(1s);
    CHECK(play.life_of("child").find("silence") == std::string::npos);
    CHECK(play.life_of("child").find("refused") == std::string::npos);
    CHECK(play.world.events("message.unhandled").empty());
    play.stop(child);
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("160 a timer of a restart that failed does not reach the one that succeeds") {
  under_seeds([](Play& play) {
    int times = 1;
    const Ref boss = play.spawn(
        "boss", {.decide = [](Puppet&, Context&, const Failure&) { return Directive::restart; }});
    const Ref child = play.spawn_under(boss, "child",
                                       {.post_restart = [&](Puppet&, Context& ctx, const Failure&) {
                                         if (times-- <= 0) return;
                                         ctx.start_timer("half", 10ms, Note{1});
                                         ctx.ask<&Puppet::asked>(ctx.parent(), Question{1}, 10ms);
                                         throw Restarting("not yet");
                                       }});
    play.fail<Restarting>(child);
    REQUIRE(play.answers(child));
    play.world.advance(1s);
    CHECK(play.count("child got 1") == 0);
    CHECK(play.count("child reply 1") == 0);
  });
}

TEST_CASE("160 a tick already queued for an earlier incarnation is discarded") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context& ctx) { ctx.start_timer("key", 10ms, Note{1}); });
    play.world.order(child.value, actor::Order::suspend);
    play.queue_failure<Restarting>(child);
    play.world.advance(10ms);  // the tick is queued behind the failing message
    play.note(child, 2);
    play.world.order(child.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 0);
    CHECK(play.count("child got 2") == 1);
    CHECK(play.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("160 a tick already queued of a cancelled or replaced timer is discarded") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context& ctx) {
      ctx.start_timer("cancelled", 10ms, Note{1});
      ctx.start_timer("replaced", 10ms, Note{2});
    });
    play.world.order(child.value, actor::Order::suspend);
    play.queue(child, [](Puppet&, Context& ctx) {
      ctx.cancel_timer("cancelled");
      ctx.start_timer("replaced", 10ms, Note{3});
    });
    play.world.advance(10ms);
    play.world.order(child.value, actor::Order::resume);
    CHECK(play.life_of("child") == "new 0, pre_start 0");
    play.world.advance(10ms);
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 3");
  });
}

TEST_CASE("161 when a timer's message fails preRestart sees that message") {
  under_seeds([](Play& play) {
    int seen = 0;
    Part part{.question = [](Puppet&, Context&, const Question&) { throw Restarting("boom"); }};
    part.pre_restart = [&](Puppet&, Context& ctx, const Failure&) {
      if (const Question* const asked = ctx.message_as<Question>()) seen = asked->n;
      CHECK(ctx.sender() == ctx.self());
    };
    const Ref child = play.spawn("child", part);
    play.perform(child, [](Puppet&, Context& ctx) { ctx.start_timer("key", 1ms, Question{7}); });
    play.world.advance(1ms);
    CHECK(seen == 7);
    CHECK(play.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("162 PoisonPill and Kill work by timer") {
  under_seeds([](Play& play) {
    const Ref poisoned = play.spawn("poisoned");
    const Ref killed = play.spawn("killed");
    play.perform(poisoned,
                 [](Puppet&, Context& ctx) { ctx.start_timer("end", 5ms, PoisonPill{}); });
    play.perform(killed, [](Puppet&, Context& ctx) { ctx.start_timer("end", 5ms, Kill{}); });
    play.world.advance(4ms);
    CHECK(play.is_alive(poisoned));
    play.world.advance(1ms);
    CHECK_FALSE(play.is_alive(poisoned));
    CHECK_FALSE(play.is_alive(killed));
    CHECK(play.count("poisoned post_stop 0") == 1);
    CHECK(play.world.events("actor.failed").size() == 1);
  });
}

TEST_CASE("164 a periodic timer keeps its delay and never bursts after a pause") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child,
                 [](Puppet&, Context& ctx) { ctx.start_timer("often", 5ms, Note{1}, 10ms); });
    play.world.advance(4ms);
    CHECK(play.count("child got 1") == 0);
    play.world.advance(1ms);
    CHECK(play.count("child got 1") == 1);
    play.world.advance(30ms);
    CHECK(play.count("child got 1") == 4);
    play.world.order(child.value, actor::Order::suspend);
    play.world.advance(1s);
    play.world.order(child.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 5);
    play.world.advance(10ms);
    CHECK(play.count("child got 1") == 6);
  });
}

TEST_CASE("165 the receive timeout fires after each silence, and activity re-arms it") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const auto silences = [&] { return play.count("child silence 10 ms"); };
    play.perform(child, [](Puppet&, Context& ctx) { ctx.receive_timeout(10ms); });
    play.world.advance(9ms);
    CHECK(silences() == 0);
    play.world.advance(1ms);
    CHECK(silences() == 1);
    play.world.advance(20ms);
    CHECK(silences() == 3);
    play.world.advance(6ms);
    play.world.send(child.value, Note{1});
    play.world.advance(9ms);
    CHECK(silences() == 3);
    play.world.advance(1ms);
    CHECK(silences() == 4);
    play.world.advance(6ms);
    play.world.send(child.value, Murmur{});  // marked as no activity
    play.world.advance(4ms);
    CHECK(play.count("child murmur") == 1);
    CHECK(silences() == 5);
    play.perform(child, [](Puppet&, Context& ctx) { ctx.receive_timeout(50ms); });
    play.world.advance(49ms);
    CHECK(silences() == 5);
    CHECK(play.count("child silence 50 ms") == 0);
    play.world.advance(1ms);
    CHECK(play.count("child silence 50 ms") == 1);
    play.perform(child, [](Puppet&, Context& ctx) { ctx.receive_timeout(0ms); });
    play.world.advance(1h);
    CHECK(play.count("child silence 50 ms") == 1);
  });
}

TEST_CASE("166 a receive timeout set in preStart holds, also in that of a restart") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn(
        "child", {.pre_start = [](Puppet&, Context& ctx) { ctx.receive_timeout(10ms); }});
    play.world.advance(10ms);
    CHECK(play.count("child silence 10 ms") == 1);
    play.fail<Restarting>(child);
    play.world.advance(10ms);
    CHECK(play.count("child silence 10 ms") == 2);
    play.stop(child);
    play.world.advance(1s);
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("167 a restart clears the receive timeout") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context& ctx) { ctx.receive_timeout(10ms); });
    play.world.advance(10ms);
    CHECK(play.count("child silence 10 ms") == 1);
    play.fail<Restarting>(child);
    play.world.advance(1h);
    CHECK(play.count("child silence 10 ms") == 1);
  });
}

TEST_CASE("164 the longest durations never end, and none is in the past") {
  under_seeds([](Play& play) {
    constexpr auto for_ever = std::chrono::nanoseconds::max();
    const Ref silent =
        play.spawn("silent", {.question = [](Puppet&, Context&, const Question&) {}});
    const Ref child = play.spawn("child");
    play.perform(child, [&](Puppet&, Context& ctx) {
      ctx.start_timer("late", for_ever, Note{1});
      ctx.start_timer("rare", 1ms, Note{2}, for_ever);
      ctx.start_timer_at_fixed_rate("rarer", 1ms, Note{3}, for_ever);
      ctx.receive_timeout(for_ever);
      ctx.ask<&Puppet::asked>(silent, Question{4}, for_ever);
      CHECK(ctx.system().schedule(ctx.self(), for_ever, Note{5}) != 0);
    });
    play.world.advance(1h);
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 2, got 3");
    CHECK(play.is_alive(silent));
  });
}

}  // namespace actord::conformance
