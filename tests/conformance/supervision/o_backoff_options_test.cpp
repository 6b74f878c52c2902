// SPDX-License-Identifier: Apache-2.0
//
// The options of the classic back-off supervisors: messages while the child is down, the cap, the
// resets, the last message; items 172 to 178.
#include "backoff_play.hpp"

namespace actord::conformance {

// ---- messages -----------------------------------------------------------------------------------

TEST_CASE("172a messages to a child that is down are dead letters by default") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref guard = put(play, on_stop());
    const Ref asker = play.spawn("asker");
    stop_itself(play);
    play.perform(asker, [guard](Puppet&, Context& ctx) { ctx.tell(guard, Question{3}); });
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Question/1");
    CHECK(letters[0].sender == asker);
    CHECK(play.world.path(letters[0].recipient.value) == "/user/guard/child");
    down_for(play);
    CHECK(play.life_of("asker") == "new 0, pre_start 0");
  });
}

TEST_CASE("172b messages to a child that is down may be answered with a fixed reply") {
  for (const auto& make : {&on_stop, &on_failure}) {
    under_seeds([&](Play& play) {
      const auto& letters = play.read_dead_letters();
      const Ref guard = put(play, make().reply_while_down(Answer{99}));
      const Ref asker = play.spawn("asker");
      const auto ask = [&](int n) {
        play.perform(asker, [guard, n](Puppet&, Context& ctx) { ctx.tell(guard, Question{n}); });
      };
      ask(1);
      if (make == &on_stop) stop_itself(play);
      else play.fail<Restarting>(child(play));
      ask(2);
      play.perform(asker, [guard](Puppet&, Context& ctx) {
        ctx.ask<&Puppet::asked>(guard, Question{3}, 1s);
      });
      down_for(play);
      ask(4);
      CHECK(play.life_of("asker") == "new 0, pre_start 0, answer 1, answer 99, reply 99, answer 4");
      CHECK(letters.empty());
    });
  }
}

TEST_CASE("172c messages to a child that is down may go to another, with their senders") {
  under_seeds([](Play& play) {
    const Ref handler =
        play.spawn("handler", {.question = [](Puppet&, Context& ctx, const Question& question) {
                     ctx.reply(Answer{100 + question.n});
                   }});
    const Ref guard = put(play, on_stop().forward_while_down(handler));
    const Ref asker = play.spawn("asker");
    stop_itself(play);
    play.perform(asker, [guard](Puppet&, Context& ctx) { ctx.tell(guard, Question{3}); });
    CHECK(play.count("asker answer 103") == 1);
    down_for(play);
    play.perform(asker, [guard](Puppet&, Context& ctx) { ctx.tell(guard, Question{3}); });
    CHECK(play.count("asker answer 3") == 1);
  });
}

TEST_CASE("173a what others send goes to the child, with its sender") {
  under_seeds([](Play& play) {
    Ref seen;
    const Ref guard =
        put(play, on_stop(), {.question = [&](Puppet&, Context& ctx, const Question& q) {
              seen = ctx.sender();
              ctx.reply(Answer{q.n});
            }});
    const Ref asker = play.spawn("asker");
    play.perform(asker, [guard](Puppet&, Context& ctx) { ctx.tell(guard, Question{5}); });
    CHECK(seen == asker);
    CHECK(play.count("asker answer 5") == 1);
    play.note(guard, 6);
    play.world.run();
    CHECK(play.count("child got 6") == 1);
  });
}

TEST_CASE("173b what the child sends it goes to the supervisor's parent, in its own name") {
  under_seeds([](Play& play) {
    Ref seen;
    const Ref boss = play.spawn(
        "boss", {.question = [&](Puppet& puppet, Context& ctx, const Question& question) {
          seen = ctx.sender();
          puppet.record("asked " + std::to_string(question.n));
        }});
    const Ref guard = put_under(play, boss, on_stop());
    play.perform(play.find("/user/boss/guard/child"),
                 [](Puppet&, Context& ctx) { ctx.tell(ctx.parent(), Question{5}); });
    CHECK(play.count("boss asked 5") == 1);
    CHECK(seen == guard);
  });
}

// ---- the cap ------------------------------------------------------------------------------------

TEST_CASE("174a on-stop: after N delayed starts the next end of the child is the supervisor's") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().max_restarts(2));
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, guard);
    for (const int delay : {100, 200}) {
      stop_itself(play);
      CHECK(down_for(play) == delay * ms);
    }
    stop_itself(play);
    CHECK_FALSE(play.is_alive(guard));
    CHECK(play.count(ended("watcher", "nobody", "stopped")) == 1);
    const auto limits = play.world.events("supervisor.limit");
    REQUIRE(limits.size() == 1);
    CHECK(limits[0].field("restart.max") == "2");
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("174b on-failure: after N delayed starts the next failure ends the supervisor") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_failure().max_restarts(2));
    for (const int delay : {100, 200}) {
      play.fail<Restarting>(child(play));
      CHECK(down_for(play) == delay * ms);
    }
    play.fail<Resuming>(child(play));
    CHECK(play.is_alive(guard));
    play.fail<Restarting>(child(play));
    CHECK_FALSE(play.is_alive(guard));
    CHECK(play.world.events("supervisor.limit").size() == 1);
  });
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_failure().max_restarts(0));
    play.fail<Restarting>(child(play));
    CHECK_FALSE(play.is_alive(guard));
    CHECK(play.count("child new 1") == 0);
  });
}

TEST_CASE("174c any negative cap is none") {
  for (const int limit : {-1, -5}) {
    under_seeds([&](Play& play) {
      const Ref guard = put(play, on_stop().max_restarts(limit));
      for (int i = 0; i < 20; ++i) {
        stop_itself(play);
        down_for(play);
      }
      CHECK(play.is_alive(guard));
      CHECK(count_of(play, guard) == 20);
    });
    under_seeds([&](Play& play) {
      const Ref guard = put(play, on_failure().max_restarts(limit));
      for (int i = 0; i < 20; ++i) {
        play.fail<Restarting>(child(play));
        down_for(play);
      }
      CHECK(play.is_alive(guard));
      CHECK(count_of(play, guard) == 20);
    });
  }
}

TEST_CASE("174d the cap lives on the strategy: one that is set afterwards discards it") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().max_restarts(1).strategy(by_name()));
    for (int i = 0; i < 5; ++i) {
      stop_itself(play);
      down_for(play);
    }
    CHECK(play.is_alive(guard));
  });
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().strategy(by_name()).max_restarts(1));
    stop_itself(play);
    down_for(play);
    stop_itself(play);
    CHECK_FALSE(play.is_alive(guard));
  });
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().max_restarts(1).stopping());  // keeps it
    play.fail<Restarting>(child(play));
    down_for(play);
    play.fail<Restarting>(child(play));
    CHECK_FALSE(play.is_alive(guard));
  });
}

// ---- resets -------------------------------------------------------------------------------------

TEST_CASE("175a the time to the automatic reset begins at each delayed start, not at the first") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().auto_reset(300ms));
    CHECK(play.world.simulator().timers().size() == 0);
    play.world.advance(1s);
    stop_itself(play);
    CHECK(down_for(play) == 100 * ms);
    CHECK(play.world.simulator().timers().size() == 1);
    play.world.advance(299ms);
    CHECK(count_of(play, guard) == 1);
    play.world.advance(1ms);
    CHECK(count_of(play, guard) == 0);
    stop_itself(play);
    CHECK(down_for(play) == 100 * ms);
  });
}

TEST_CASE("175b the automatic reset counts only if there was no start since") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().auto_reset(300ms));
    stop_itself(play);
    down_for(play);
    play.world.advance(200ms);
    stop_itself(play);
    CHECK(count_of(play, guard) == 2);
    play.world.advance(
        100ms);  // 300 ms after the first start: the child is down, the count another
    CHECK(count_of(play, guard) == 2);
    down_for(play);
    play.world.advance(299ms);
    CHECK(count_of(play, guard) == 2);
    play.world.advance(1ms);
    CHECK(count_of(play, guard) == 0);
  });
}

TEST_CASE(
    "175c without being told the reset comes after min; other times lie between min and max") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, BackoffOptions::on_stop(100ms, 800ms, 0));
    stop_itself(play);
    down_for(play);
    play.world.advance(99ms);
    CHECK(count_of(play, guard) == 1);
    play.world.advance(1ms);
    CHECK(count_of(play, guard) == 0);
  });
  CHECK(is_refused([] { on_stop().auto_reset(99ms); }));
  CHECK(is_refused([] { on_stop().auto_reset(801ms); }));
  CHECK_FALSE(is_refused([] { on_stop().auto_reset(100ms).auto_reset(800ms); }));
}

TEST_CASE("176a a Reset sets the count to 0 where resetting is left to it") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop());
    for (const int delay : {100, 200}) {
      stop_itself(play);
      CHECK(down_for(play) == delay * ms);
    }
    play.world.advance(1h);
    CHECK(count_of(play, guard) == 2);
    play.world.send(guard.value, Reset{});
    CHECK(count_of(play, guard) == 0);
    stop_itself(play);
    CHECK(down_for(play) == 100 * ms);
    CHECK(play.world.events("message.unhandled").empty());
  });
}

TEST_CASE("176b a Reset is unhandled where the count resets itself") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().auto_reset(800ms));
    stop_itself(play);
    down_for(play);
    play.world.send(guard.value, Reset{});
    CHECK(count_of(play, guard) == 1);
    const auto lines = play.world.events("message.unhandled");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].field("message.type") == "actord.Reset/1");
    CHECK(lines[0].field("message.recipient") == "/user/guard");
  });
}

TEST_CASE("177 on-failure: a failure that stays alone within the window is forgotten after it") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_failure().max_restarts(2, 1s));
    for (int i = 0; i < 5; ++i) {
      play.fail<Restarting>(child(play));
      CHECK(down_for(play) == 100 * ms);
      play.world.advance(899ms);
      CHECK(count_of(play, guard) == 1);
      play.world.advance(1ms);
      CHECK(count_of(play, guard) == 0);
    }
  });
}

TEST_CASE("177 on-failure: more failures than allowed within the window end the supervisor") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_failure().max_restarts(2, 1s));
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 100 * ms);
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 200 * ms);
    play.world.advance(2s);  // the window is over, but the failure did not stay alone
    CHECK(count_of(play, guard) == 2);
    play.fail<Restarting>(child(play));
    CHECK_FALSE(play.is_alive(guard));
  });
}

// ---- the last message, construction, restarts of the supervisor ---------------------------------

TEST_CASE("178a a final message goes to the child, whose next end is the supervisor's") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().final_stop<Note>([](const Note& n) { return n.n == 9; }));
    play.note(guard, 9);
    play.world.run();
    CHECK(play.count("child got 9") == 1);
    CHECK(play.is_alive(guard));
    CHECK(play.answers(child(play)));
    stop_itself(play);
    CHECK_FALSE(play.is_alive(guard));
    CHECK(play.count("child new 1") == 0);
  });
}

TEST_CASE("178b a message that is not final changes nothing") {
  under_seeds([](Play& play) {
    const Ref guard = put(play, on_stop().final_stop<Note>([](const Note& n) { return n.n == 9; }));
    play.note(guard, 8);
    play.world.send(guard.value, Question{9});
    stop_itself(play);
    CHECK(down_for(play) == 100 * ms);
    CHECK(play.is_alive(guard));
  });
}

TEST_CASE("178c a final message while the child is down is a dead letter and ends the supervisor") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref guard = put(play, on_stop().reply_while_down(Answer{1}).final_stop<Note>());
    const Ref asker = play.spawn("asker");
    stop_itself(play);
    play.perform(asker, [guard](Puppet&, Context& ctx) {
      ctx.tell(guard, Question{2});
      ctx.tell(guard, Note{9});
    });
    CHECK_FALSE(play.is_alive(guard));
    CHECK(play.life_of("asker") == "new 0, pre_start 0, answer 1");
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Note/1");
    CHECK(letters[0].sender == asker);
    play.world.advance(1h);
    CHECK(play.count("child new 1") == 0);
  });
}

TEST_CASE("178d combinations that make no sense are refused where they are written") {
  CHECK(is_refused([] { BackoffOptions::on_stop(0s, 1s); }));
  CHECK(is_refused([] { BackoffOptions::on_stop(-1s, 1s); }));
  CHECK(is_refused([] { BackoffOptions::on_failure(2s, 1s); }));
  CHECK(is_refused([] { BackoffOptions::on_failure(1s, 1s, -0.1); }));
  CHECK(is_refused([] { BackoffOptions::on_failure(1s, 1s, 1.1); }));
  CHECK(is_refused([] { on_stop().max_restarts(3, 0s); }));
  CHECK(is_refused([] { on_stop().strategy(one_for_one({.max_restarts = 3, .within = 0s})); }));
  CHECK(is_refused([] { on_stop().strategy(one_for_one().backoff({.min = 1s, .max = 2s})); }));
  CHECK(is_refused([] { on_stop().forward_while_down(Ref{}); }));
  CHECK(is_refused([] { on_failure().final_stop<Note>(); }));
  CHECK_FALSE(is_refused([] { BackoffOptions::on_stop(1s, 1s, 1).final_stop<Note>(); }));
}

TEST_CASE("178e a supervisor that is restarted stops its child first, has one and counts from 0") {
  for (const auto& make : {&on_stop, &on_failure}) {
    under_seeds([&](Play& play) {
      const Ref boss = play.spawn(
          "boss", {.decide = [](Puppet&, Context&, const Failure&) { return Directive::restart; }});
      const Ref guard = put_under(play, boss, make());
      const auto one = [&] { return play.find("/user/boss/guard/child"); };
      if (make == &on_stop) play.stop(one());
      else play.fail<Restarting>(one());
      play.world.advance(100ms);
      CHECK(count_of(play, guard) == 1);
      const Ref old = one();
      play.fail<Escalating>(old);
      CHECK(play.world.incarnation(guard.value) == 1);
      CHECK_FALSE(play.is_alive(old));
      CHECK(one() != old);
      CHECK(play.answers(one()));
      CHECK(play.living == 2);
      CHECK(count_of(play, guard) == 0);
      CHECK(play.came_in_order({"child post_stop 1", "child new 2"}));
      // While it is down, too.
      if (make == &on_stop) play.stop(one());
      else play.fail<Restarting>(one());
      play.order(guard, actor::Order::terminate);
      play.world.run();
      CHECK_FALSE(play.is_alive(guard));
      CHECK(play.living == 1);
    });
  }
}

TEST_CASE("178f a supervisor that stops leaves no tick behind that anybody hears of") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref guard = put(play, on_stop().auto_reset(800ms));
    stop_itself(play);
    down_for(play);
    stop_itself(play);
    CHECK(play.world.simulator().timers().size() != 0);
    play.stop(guard);
    CHECK(play.world.simulator().timers().size() == 0);
    play.world.advance(1h);
    play.world.send(guard.value, detail::StartChild{});
    play.world.send(guard.value, detail::ResetRestartCount{1});
    CHECK(letters.empty());
    CHECK(play.count("child new 2") == 0);
  });
}

TEST_CASE("178g a child that poisons its supervisor and stops is not started again") {
  for (const auto& make : {&on_stop, &on_failure}) {
    under_seeds([&](Play& play) {
      const Ref guard = put(play, make());
      play.perform(child(play), [](Puppet&, Context& ctx) {
        ctx.tell(ctx.parent(), PoisonPill{});
        ctx.stop_self();
      });
      CHECK_FALSE(play.is_alive(guard));
      CHECK_FALSE(child(play));
      play.world.advance(1h);
      CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
    });
  }
}

TEST_CASE("back-off supervisors: the strategy of an operator goes before the one of the options") {
  Play::Setup setup;
  setup.before_start = [](Play& play) {
    system::PathRule rule;
    rule.pattern = "/user/guard";
    rule.strategy = actor::stopping_strategy();
    rule.strategy->budget.max_restarts = 1;
    play.rules.push_back(std::move(rule));
  };
  under_seeds(
      [](Play& play) {
        const Ref guard = put(play, on_stop());
        play.fail<Resuming>(child(play));
        CHECK(down_for(play) == 100 * ms);
        play.fail<Resuming>(child(play));
        CHECK_FALSE(play.is_alive(guard));
      },
      setup);
}

}  // namespace actord::conformance
