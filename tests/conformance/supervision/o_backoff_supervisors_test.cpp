// SPDX-License-Identifier: Apache-2.0
//
// The classic back-off supervisors: how the child goes down and comes back, items 158 and 168 to
// 171.
#include "backoff_support.hpp"

namespace actord::conformance {

// ---- what is lost -------------------------------------------------------------------------------

TEST_CASE("158 stash and mail of the old child never reach the new one: they are dead letters") {
  under_seeds([](SeededTest& test) {
    put(test, on_stop());
    const auto& letters = test.read_dead_letters();
    const Ref old = child(test);
    test.perform(old, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    test.note(old, 1);
    test.world.run();
    test.queue(old, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.note(old, 2);
    test.world.run();
    REQUIRE(time_until_child(test) == 100 * ms);
    CHECK(test.answers(child(test)));
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("child got 2") == 0);
    REQUIRE(letters.size() == 2);
    for (const DeadLetter& letter : letters) {
      CHECK(letter.type == "play.Note/1");
      CHECK(letter.recipient == old);
    }
  });
}

// ---- on-stop ------------------------------------------------------------------------------------

TEST_CASE("168a on-stop: however the child ended, a new one comes after the delay") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop());
    std::vector<Ref> children{child(test)};
    const auto comes_after = [&](std::int64_t delay) {
      CHECK_FALSE(test.is_alive(children.back()));
      CHECK(time_until_child(test) == delay * ms);
      children.push_back(child(test));
      CHECK(children.back() != children[children.size() - 2]);
      CHECK(test.answers(children.back()));
    };
    stop_itself(test);
    comes_after(100);
    test.world.send(child(test).value, PoisonPill{});
    comes_after(200);
    test.fail<Stopping>(child(test));
    comes_after(400);
    test.world.send(child(test).value, Kill{});
    comes_after(800);
    test.stop(child(test));
    comes_after(800);
    const auto lines = test.world.events("actor.backoff");
    REQUIRE(lines.size() == 5);
    CHECK(lines[2].field("actor.path") == "/user/guard");
    CHECK(lines[2].field("child") == "/user/guard/child");
    CHECK(lines[2].field("restart.delay") == std::to_string(400 * ms));
    CHECK(test.is_alive(guard));
  });
}

TEST_CASE("168a on-stop: the delay is that of the formula, lengthened by chance only") {
  const auto delay = [](std::chrono::nanoseconds min, std::chrono::nanoseconds max,
                        std::int64_t count, double factor = 0, double unit = 0) {
    return detail::backoff_delay(BackoffOptions::on_stop(min, max, factor), count, unit);
  };
  CHECK(delay(5min, 7min, 0) == 5min);
  CHECK(delay(5s, 7s, 2) == 7s);
  CHECK(delay(5s, 168h, 2) == 20s);
  CHECK(delay(5min, 10min, 29) == 10min);
  CHECK(delay(240'000h, 240'000h, INT32_MAX) == 240'000h);
  CHECK(delay(240'000h, 2'400'000h, INT64_MAX, 1, 0.99) == 2'400'000h);
  CHECK(delay(3s, 30s, 4, 0.2, 0.5) == 33s);
  under_seeds([](SeededTest& test) {
    put(test, BackoffOptions::on_stop(100ms, 100ms, 0.5).manual_reset());
    std::map<std::int64_t, int> delays;
    for (int i = 0; i < 10; ++i) {
      stop_itself(test);
      const std::int64_t waited = time_until_child(test);
      CHECK(waited >= 100 * ms);
      CHECK(waited < 150 * ms);
      ++delays[waited];
    }
    CHECK(delays.size() > 5);
  });
}

TEST_CASE("168b on-stop: the count and the current child can be asked for, also while it is down") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_stop());
    CHECK(current_child(test, guard) == child(test));
    CHECK(count_of(test, guard) == 0);
    for (const int count : {1, 2, 3}) {
      stop_itself(test);
      CHECK(current_child(test, guard) == Ref{});
      CHECK(count_of(test, guard) == count);
      time_until_child(test);
      CHECK(current_child(test, guard) == child(test));
      CHECK(count_of(test, guard) == count);
    }
  });
}

TEST_CASE("168c on-stop: a failure that is restarted does not wait, one that is stopped does") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, BackoffOptions::on_stop(100ms, 800ms, 0));
    const Ref one = child(test);
    test.fail<Stopping>(one);
    CHECK(child(test) == one);
    CHECK(test.world.incarnation(one.value) == 1);
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
    CHECK(count_of(test, guard) == 0);
    CHECK(test.world.events("actor.backoff").empty());
  });
  under_seeds([](SeededTest& test) {
    put(test, BackoffOptions::on_stop(100ms, 800ms, 0).stopping());
    test.fail<Restarting>(child(test));
    CHECK_FALSE(child(test));
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0, new 1, pre_start 1");
  });
}

TEST_CASE("168d on-stop: a child that cannot be created is tried again after growing delays") {
  under_seeds([](SeededTest& test) {
    int times = 3;
    const Ref guard = put(test, BackoffOptions::on_stop(100ms, 800ms, 0),
                          {.pre_start = [&](ScriptedActor&, Context&) {
                            if (times-- > 0) throw Restarting("nobody listens there");
                          }});
    for (const int delay : {100, 200, 400}) {
      CHECK_FALSE(child(test));
      test.world.advance(std::chrono::milliseconds(delay) - 1ns);
      CHECK_FALSE(child(test));
      test.world.advance(1ns);
    }
    CHECK(test.count("child new 3") == 1);
    CHECK(test.answers(child(test)));
    CHECK(test.is_alive(guard));
    const auto lines = test.world.events("actor.backoff");
    REQUIRE(lines.size() == 3);
    CHECK(lines[2].at_ns - lines[0].at_ns == 300 * ms);
  });
}

// ---- on-failure ---------------------------------------------------------------------------------

TEST_CASE("169a on-failure: restart stops the child, and a new one comes without restart hooks") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure());
    const Ref old = child(test);
    test.fail<Restarting>(old);
    CHECK_FALSE(test.is_alive(old));
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(child(test) != old);
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0, new 1, pre_start 1");
    CHECK(count_of(test, guard) == 1);
    CHECK(test.world.events("actor.restarted").empty());
  });
}

TEST_CASE("169b on-failure: a child that is stopped, or stops itself, ends the supervisor too") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure());
    test.fail<Stopping>(child(test));
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.count("child new 1") == 0);
  });
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure());
    stop_itself(test);
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("169c on-failure: resume and escalate are what they always are") {
  under_seeds([](SeededTest& test) {
    std::string escalated;
    const Ref boss =
        test.spawn("boss", {.decide = [&](ScriptedActor&, Context& ctx, const Failure& failure) {
                     escalated = std::string{failure.type()} + " from " + ctx.path(ctx.sender());
                     return Directive::resume;
                   }});
    const Ref guard = put_under(test, boss, on_failure());
    const Ref one = test.find("/user/boss/guard/child");
    test.perform(one, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.fail<Resuming>(one);
    CHECK(test.value(one) == 42);
    CHECK(escalated.empty());
    test.fail<Escalating>(one);
    CHECK(escalated == "actord::conformance::Escalating from /user/boss/guard");
    CHECK(test.value(one) == 42);
    CHECK(count_of(test, guard) == 0);
  });
}

TEST_CASE(
    "169d on-failure: a child that cannot be created ends the supervisor at its first start") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(
        test, BackoffOptions::on_failure(100ms, 800ms, 0),
        {.construct = [](ScriptedActor&, Context&) { throw Restarting("nobody listens there"); }});
    CHECK_FALSE(test.is_alive(guard));
    CHECK(test.life_of("child") == "new 0");
    CHECK(test.world.events("actor.backoff").empty());
  });
}

TEST_CASE("169e on-failure: consecutive failures wait 200, 400, 800 and 1600 ms") {
  under_seeds([](SeededTest& test) {
    put(test, BackoffOptions::on_failure(200ms, 10s, 0));
    for (const int delay : {200, 400, 800, 1600}) {
      test.fail<Restarting>(child(test));
      CHECK_FALSE(child(test));
      CHECK(test.living == 0);
      CHECK(time_until_child(test) == delay * ms);
      CHECK(test.living == 1);
    }
    CHECK(test.count("child new 4") == 1);
    CHECK(test.answers(child(test)));
  });
}

TEST_CASE("170 the user's decider is asked first, then the default one, then it is escalated") {
  const auto scene = [](const BackoffOptions& options) {
    under_seeds([&](SeededTest& test) {
      std::string escalated;
      const Ref boss =
          test.spawn("boss", {.decide = [&](ScriptedActor&, Context&, const Failure& f) {
                       escalated = f.type();
                       return Directive::resume;
                     }});
      const Ref guard = put_under(test, boss, options);
      const auto one = [&] { return test.find("/user/boss/guard/child"); };
      const Ref old = one();
      test.fail<Stopping>(old);  // a rule says resume; the default is a restart
      CHECK(one() == old);
      CHECK(test.world.incarnation(old.value) == 0);
      test.perform(
          old, [](ScriptedActor&, Context&) { throw 42; });  // not an exception: escalates to top
      CHECK(escalated == "int");
      CHECK(test.answers(old));
      test.world.send(old.value, Kill{});  // by default it stops
      CHECK_FALSE(test.is_alive(old));
      const bool comes_back = options.mode() == BackoffOptions::Mode::on_stop;
      CHECK(test.is_alive(guard) == comes_back);
      test.world.advance(1s);
      CHECK(static_cast<bool>(one()) == comes_back);
    });
  };
  const auto rule = [] { return one_for_one().on<Stopping>(Directive::resume); };
  scene(BackoffOptions::on_stop(100ms, 800ms, 0).strategy(rule()));
  scene(BackoffOptions::on_failure(100ms, 800ms, 0).strategy(rule()));
}

// ---- while the failed child is still ending -----------------------------------------------------

TEST_CASE("171a while the failed child ends, questions are answered as if nothing had happened") {
  under_seeds([](SeededTest& test) {
    Inquirer::Answers answers;
    const Ref who{test.world.spawn<Inquirer>("inquirer", &answers)};
    const Ref guard = put(test, on_failure(), with_kid_that([&](ScriptedActor&, Context& ctx) {
                            const Ref to = ctx.find("/user/guard");
                            ctx.tell(to, GetRestartCount{}, who);
                            ctx.tell(to, GetCurrentChild{}, who);
                          }));
    const Ref old = child(test);
    test.fail<Restarting>(old);
    CHECK(answers.counts == std::vector<std::int64_t>{0});
    CHECK(answers.children == std::vector<Ref>{old});
    CHECK(count_of(test, guard) == 1);
    CHECK(current_child(test, guard) == Ref{});
  });
}

TEST_CASE("171b while the failed child ends, a start that is due is ignored") {
  under_seeds([](SeededTest& test) {
    const Ref guard = put(test, on_failure(), with_kid_that([](ScriptedActor&, Context& ctx) {
                            ctx.tell(ctx.find("/user/guard"), detail::StartChild{});
                          }));
    test.fail<Restarting>(child(test));
    CHECK_FALSE(child(test));
    CHECK(test.count("child new 1") == 0);
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.world.incarnation(guard.value) == 0);
    test.world.send(guard.value, detail::StartChild{});
    CHECK(test.count("child new 2") == 0);
    CHECK(test.world.incarnation(guard.value) == 0);
  });
}

TEST_CASE("171c while the failed child ends, messages still go to it and are dead letters") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    put(test, on_failure().reply_while_down(Answer{1}),
        with_kid_that(
            [](ScriptedActor&, Context& ctx) { ctx.tell(ctx.find("/user/guard"), Note{7}); }));
    const Ref old = child(test);
    test.fail<Restarting>(old);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Note/1");
    CHECK(letters[0].recipient == old);
    CHECK(test.count("kid answer 1") == 0);
  });
}

}  // namespace actord::conformance
