// SPDX-License-Identifier: Apache-2.0
//
// The options of the classic back-off supervisors: messages while the child is down, the cap, the
// resets, the last message; items 172 to 178.
#include "backoff_support.hpp"

namespace actord::conformance {

// ---- messages -----------------------------------------------------------------------------------

TEST_CASE("172a messages to a child that is down are dead letters by default") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref guard = put(test, on_stop());
    const Ref asker = test.spawn("asker");
    stop_itself(test);
    test.perform(asker, [guard](ScriptedActor&, Context& ctx) { ctx.tell(guard, Question{3}); });
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Question/1");
    CHECK(letters[0].sender == asker);
    CHECK(test.world.path(letters[0].recipient.value) == "/user/guard/child");
    time_until_child(test);
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
  });
}

TEST_CASE("172b messages to a child that is down may be answered with a fixed reply") {
  for (const auto& make : {&on_stop, &on_failure}) {
    under_seeds([&](SeededTest& test) {
      const auto& letters = test.read_dead_letters();
      const Ref guard = put(test, make().reply_while_down(Answer{99}));
      const Ref asker = test.spawn("asker");
      const auto ask = [&](int n) {
        test.perform(asker,
                     [guard, n](ScriptedActor&, Context& ctx) { ctx.tell(guard, Question{n}); });
      };
      ask(1);
      if (make == &on_stop) stop_itself(test);
      else test.fail<Restarting>(child(test));
      ask(2);
      test.perform(asker, [guard](ScriptedActor&, Context& ctx) {
        ctx.ask<&ScriptedActor::asked>(guard, Question{3}, 1s);
      });
      time_until_child(test);
      ask(4);
      CHECK(test.life_of("asker") == "new 0, pre_start 0, answer 1, answer 99, reply 99, answer 4");
      CHECK(letters.empty());
    });
  }
}

TEST_CASE("172c messages to a child that is down may go to another, with their senders") {
  under_seeds([](SeededTest& test) {
    const Ref handler = test.spawn(
        "handler", {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
          ctx.reply(Answer{100 + question.n});
        }});
    const Ref guard = put(test, on_stop().forward_while_down(handler));
    const Ref asker = test.spawn("asker");
    stop_itself(test);
    test.perform(asker, [guard](ScriptedActor&, Context& ctx) { ctx.tell(guard, Question{3}); });
    CHECK(test.count("asker answer 103") == 1);
    time_until_child(test);
    test.perform(asker, [guard](ScriptedActor&, Context& ctx) { ctx.tell(guard, Question{3}); });
    CHECK(test.count("asker answer 3") == 1);
  });
}

TEST_CASE("173a what others send goes to the child, with its sender") {
  under_seeds([](SeededTest& test) {
    Ref seen;
    const Ref guard =
        put(test, on_stop(), {.question = [&](ScriptedActor&, Context& ctx, const Question& q) {
              seen = ctx.sender();
              ctx.reply(Answer{q.n});
            }});
    const Ref asker = test.spawn("asker");
    test.perform(asker, [guard](ScriptedActor&, Context& ctx) { ctx.tell(guard, Question{5}); });
    CHECK(seen == asker);
    CHECK(test.count("asker answer 5") == 1);
    test.note(guard, 6);
    test.world.run();
    CHECK(test.count("child got 6") == 1);
  });
}

TEST_CASE("173b what the child sends it goes to the supervisor's parent, in its own name") {
  under_seeds([](SeededTest& test) {
    Ref seen;
    const Ref boss = test.spawn(
        "boss", {.question = [&](ScriptedActor& actor, Context& ctx, const Question& question) {
          seen = ctx.sender();
          actor.record("asked " + std::to_string(question.n));
        }});
    const Ref guard = put_under(test, boss, on_stop());
    test.perform(test.find("/user/boss/guard/child"),
                 [](ScriptedActor&, Context& ctx) { ctx.tell(ctx.parent(), Question{5}); });
    CHECK(test.count("boss asked 5") == 1);
    CHECK(seen == guard);
  });
}

TEST_CASE("173b what the child asks is answered by the supervisor's parent") {
  under_seeds([](SeededTest& test) {
    Ref asked_by;
    const Ref boss = test.spawn(
        "boss", {.question = [&](ScriptedActor&, Context& ctx, const Question& question) {
          asked_by = ctx.asker();
          ctx.reply(Answer{question.n + 1});
        }});
    put_under(test, boss, on_stop());
    const Ref child = test.find("/user/boss/guard/child");
    test.perform(child, [](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(ctx.parent(), Question{5}, 1s);
    });
    CHECK(test.count("child reply 6") == 1);
    CHECK(asked_by == child);
  });
}

// ---- the cap ------------------------------------------------------------------------------------

TEST_CASE("174a on-stop: after N delayed starts the next end of the child is the supervisor's") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().max_restarts(2));
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, guard);
    for (const int delay : {100, 200}) {
      stop_itself(test);
      CHECK(time_until_child(test) == delay * ms);
    }
    stop_itself(test);
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.count(ended("watcher", "nobody", "stopped")) == 1);
    const auto limits = test.world.events("supervisor.limit");
    REQUIRE(limits.size() == 1);
    CHECK(limits[0].field("restart.max") == "2");
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("174b on-failure: after N delayed starts the next failure ends the supervisor") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure().max_restarts(2));
    for (const int delay : {100, 200}) {
      test.fail<Restarting>(child(test));
      CHECK(time_until_child(test) == delay * ms);
    }
    test.fail<Resuming>(child(test));
    CHECK(test.is_alive(guard));
    test.fail<Restarting>(child(test));
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.world.events("supervisor.limit").size() == 1);
  });
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure().max_restarts(0));
    test.fail<Restarting>(child(test));
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.count("child new 1") == 0);
  });
}

TEST_CASE("174c any negative cap is none") {
  for (const int limit : {-1, -5}) {
    under_seeds([&](SeededTest& test) {
      const Ref guard = put(test, on_stop().max_restarts(limit));
      for (int i = 0; i < 20; ++i) {
        stop_itself(test);
        time_until_child(test);
      }
      CHECK(test.is_alive(guard));
      CHECK(count_of(test, guard) == 20);
    });
    under_seeds([&](SeededTest& test) {
      const Ref guard = put(test, on_failure().max_restarts(limit));
      for (int i = 0; i < 20; ++i) {
        test.fail<Restarting>(child(test));
        time_until_child(test);
      }
      CHECK(test.is_alive(guard));
      CHECK(count_of(test, guard) == 20);
    });
  }
}

TEST_CASE("174d the cap lives on the strategy: one that is set afterwards discards it") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().max_restarts(1).strategy(by_name()));
    for (int i = 0; i < 5; ++i) {
      stop_itself(test);
      time_until_child(test);
    }
    CHECK(test.is_alive(guard));
  });
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().strategy(by_name()).max_restarts(1));
    stop_itself(test);
    time_until_child(test);
    stop_itself(test);
    CHECK_FALSE(test.is_alive(guard));
  });
  under_seeds([](SeededTest& test) {
    // stopping() keeps the limit
    const Ref guard = put(test, on_stop().max_restarts(1).stopping());
    test.fail<Restarting>(child(test));
    time_until_child(test);
    test.fail<Restarting>(child(test));
    CHECK_FALSE(test.is_alive(guard));
  });
}

// ---- resets -------------------------------------------------------------------------------------

TEST_CASE("175a the time to the automatic reset begins at each delayed start, not at the first") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().auto_reset(300ms));
    CHECK(test.world.simulator().timers().size() == 0);
    test.world.advance(1s);
    stop_itself(test);
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.world.simulator().timers().size() == 1);
    test.world.advance(299ms);
    CHECK(count_of(test, guard) == 1);
    test.world.advance(1ms);
    CHECK(count_of(test, guard) == 0);
    stop_itself(test);
    CHECK(time_until_child(test) == 100 * ms);
  });
}

TEST_CASE("175b the automatic reset counts only if there was no start since") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().auto_reset(300ms));
    stop_itself(test);
    time_until_child(test);
    test.world.advance(200ms);
    stop_itself(test);
    CHECK(count_of(test, guard) == 2);
    test.world.advance(
        100ms);  // 300 ms after the first start: the child is down, the count has changed
    CHECK(count_of(test, guard) == 2);
    time_until_child(test);
    test.world.advance(299ms);
    CHECK(count_of(test, guard) == 2);
    test.world.advance(1ms);
    CHECK(count_of(test, guard) == 0);
  });
}

TEST_CASE("175c by default the reset comes after min; other times lie between min and max") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, BackoffOptions::on_stop(100ms, 800ms, 0));
    stop_itself(test);
    time_until_child(test);
    test.world.advance(99ms);
    CHECK(count_of(test, guard) == 1);
    test.world.advance(1ms);
    CHECK(count_of(test, guard) == 0);
  });
  CHECK(is_refused([] { on_stop().auto_reset(99ms); }));
  CHECK(is_refused([] { on_stop().auto_reset(801ms); }));
  CHECK_FALSE(is_refused([] { on_stop().auto_reset(100ms).auto_reset(800ms); }));
}

TEST_CASE("176a a Reset sets the count to 0 where resetting is left to it") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop());
    for (const int delay : {100, 200}) {
      stop_itself(test);
      CHECK(time_until_child(test) == delay * ms);
    }
    test.world.advance(1h);
    CHECK(count_of(test, guard) == 2);
    test.world.send(guard.value, Reset{});
    CHECK(count_of(test, guard) == 0);
    stop_itself(test);
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.world.events("message.unhandled").empty());
  });
}

TEST_CASE("176b a Reset is unhandled where the count resets itself") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().auto_reset(800ms));
    stop_itself(test);
    time_until_child(test);
    test.world.send(guard.value, Reset{});
    CHECK(count_of(test, guard) == 1);
    const auto lines = test.world.events("message.unhandled");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].field("message.type") == "actord.Reset/1");
    CHECK(lines[0].field("message.recipient") == "/user/guard");
  });
}

TEST_CASE("177 on-failure: a failure that stays alone within the window is forgotten after it") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure().max_restarts(2, 1s));
    for (int i = 0; i < 5; ++i) {
      test.fail<Restarting>(child(test));
      CHECK(time_until_child(test) == 100 * ms);
      test.world.advance(899ms);
      CHECK(count_of(test, guard) == 1);
      test.world.advance(1ms);
      CHECK(count_of(test, guard) == 0);
    }
  });
}

TEST_CASE("177 on-failure: more failures than allowed within the window end the supervisor") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure().max_restarts(2, 1s));
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 100 * ms);
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 200 * ms);
    test.world.advance(2s);  // the window is over, but a second failure came
    CHECK(count_of(test, guard) == 2);
    test.fail<Restarting>(child(test));
    CHECK_FALSE(test.is_alive(guard));
  });
}

// ---- the last message, construction, restarts of the supervisor ---------------------------------

TEST_CASE("178a a final message goes to the child, whose next end is the supervisor's") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().final_stop<Note>([](const Note& n) { return n.n == 9; }));
    test.note(guard, 9);
    test.world.run();
    CHECK(test.count("child got 9") == 1);
    CHECK(test.is_alive(guard));
    CHECK(test.answers(child(test)));
    stop_itself(test);
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.count("child new 1") == 0);
  });
}

TEST_CASE("178b a message that is not final changes nothing") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop().final_stop<Note>([](const Note& n) { return n.n == 9; }));
    test.note(guard, 8);
    test.world.send(guard.value, Question{9});
    stop_itself(test);
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.is_alive(guard));
  });
}

TEST_CASE("178c a final message while the child is down is a dead letter and ends the supervisor") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref guard = put(test, on_stop().reply_while_down(Answer{1}).final_stop<Note>());
    const Ref asker = test.spawn("asker");
    stop_itself(test);
    test.perform(asker, [guard](ScriptedActor&, Context& ctx) {
      ctx.tell(guard, Question{2});
      ctx.tell(guard, Note{9});
    });
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.life_of("asker") == "new 0, pre_start 0, answer 1");
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Note/1");
    CHECK(letters[0].sender == asker);
    test.world.advance(1h);
    CHECK(test.count("child new 1") == 0);
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
    under_seeds([&](SeededTest& test) {
      const Ref boss = test.spawn("boss", deciding(Directive::restart));
      const Ref guard = put_under(test, boss, make());
      const auto one = [&] { return test.find("/user/boss/guard/child"); };
      if (make == &on_stop) test.stop(one());
      else test.fail<Restarting>(one());
      test.world.advance(100ms);
      CHECK(count_of(test, guard) == 1);
      const Ref old = one();
      test.fail<Escalating>(old);
      CHECK(test.world.incarnation(guard.value) == 1);
      CHECK_FALSE(test.is_alive(old));
      CHECK(one() != old);
      CHECK(test.answers(one()));
      CHECK(test.living == 2);
      CHECK(count_of(test, guard) == 0);
      CHECK(test.came_in_order({"child post_stop 1", "child new 2"}));
      // The same while the child is down.
      if (make == &on_stop) test.stop(one());
      else test.fail<Restarting>(one());
      test.send_system(guard, actor::SystemMessage::terminate());
      test.world.run();
      CHECK_FALSE(test.is_alive(guard));
      CHECK(test.living == 1);
    });
  }
}

TEST_CASE("178f a supervisor that stops leaves no tick behind") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref guard = put(test, on_stop().auto_reset(800ms));
    stop_itself(test);
    time_until_child(test);
    stop_itself(test);
    CHECK(test.world.simulator().timers().size() != 0);
    test.stop(guard);
    CHECK(test.world.simulator().timers().size() == 0);
    test.world.advance(1h);
    test.world.send(guard.value, detail::StartChild{});
    test.world.send(guard.value, detail::ResetRestartCount{1});
    CHECK(letters.empty());
    CHECK(test.count("child new 2") == 0);
  });
}

TEST_CASE("178g a child that poisons its supervisor and stops is not started again") {
  for (const auto& make : {&on_stop, &on_failure}) {
    under_seeds([&](SeededTest& test) {
      const Ref guard = put(test, make());
      test.perform(child(test), [](ScriptedActor&, Context& ctx) {
        ctx.tell(ctx.parent(), PoisonPill{});
        ctx.stop_self();
      });
      CHECK_FALSE(test.is_alive(guard));
      CHECK_FALSE(child(test));
      test.world.advance(1h);
      CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
    });
  }
}

TEST_CASE("back-off supervisors: the strategy of an operator goes before the one of the options") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    actor::Deployment rule;
    rule.pattern = "/user/guard";
    rule.options.strategy = actor::stopping_strategy();
    rule.options.strategy->restart_limit.max_restarts = 1;
    test.deployments.push_back(std::move(rule));
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref guard = put(test, on_stop());
        test.fail<Resuming>(child(test));
        CHECK(time_until_child(test) == 100 * ms);
        test.fail<Resuming>(child(test));
        CHECK_FALSE(test.is_alive(guard));
      },
      setup);
}

}  // namespace actord::conformance
