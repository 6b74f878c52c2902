// SPDX-License-Identifier: Apache-2.0
//
// Back-off supervisors that a configuration puts in front of actors: items 168, 169, 172, 174, 176
// and 178 again, now from the configuration text.
#include "conformance/config/backoff_child.hpp"
#include "conformance/config/config_support.hpp"

namespace actord::conformance {

namespace {

/// "/user/x" with the actor "/user/x/x" behind it, and "/user/y".
std::string behind(const std::string& backoff, const std::string& rest = "") {
  return "actord.user {\n" +
         conformance::actor("x", rest +
                                     "\nbackoff-supervisor { min = 100 ms, max = 800 ms, "
                                     "random-factor = 0, reset = manual, " +
                                     backoff + " }") +
         conformance::actor("y") + "}";
}

const std::string stopping = "supervisor-strategy = stopping";

Ref supervisor(SeededTest& test) { return test.find("/user/x"); }

void ask(SeededTest& test, int n) {
  test.perform(test.find("/user/y"),
               [n](ScriptedActor&, Context& ctx) { ctx.tell(ctx.find("/user/x"), Question{n}); });
}

}  // namespace

TEST_CASE("168a a configured actor comes back after growing delays however it ended") {
  under_config(behind("mode = on-stop", stopping), [](SeededTest& test) {
    CHECK(test.world.path(child(test).value) == "/user/x/x");
    ask(test, 1);
    CHECK(test.count("y answer 1") == 1);
    test.perform(child(test), [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    CHECK(time_until_child(test) == 100 * ms);
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 200 * ms);
    CHECK(test.world.events("actor.failed").back().field("supervisor.strategy") == "stopping");
    ask(test, 2);
    CHECK(test.count("y answer 2") == 1);
    CHECK(test.world.incarnation(supervisor(test).value) == 0);
  });
}

TEST_CASE("168d a configured actor that cannot be created does not end the boot, and is tried on") {
  auto times = std::make_shared<int>();
  under_config(
      behind("mode = on-stop"),
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.lost_children().empty());
        CHECK_FALSE(child(test));
        test.world.advance(299ms);
        CHECK_FALSE(child(test));
        test.world.advance(1ms);
        CHECK(test.answers(child(test)));
      },
      [times] {
        *times = 2;
        return Scripts{{"x", {.pre_start = [times](ScriptedActor&, Context&) {
                          if ((*times)-- > 0) throw Restarting("no server listens there");
                        }}}};
      });
}

TEST_CASE("169a a configured actor that failed is started anew after the delay, without hooks") {
  under_config(behind("mode = on-failure"), [](SeededTest& test) {
    test.fail<Restarting>(child(test));
    CHECK(test.life_of("x") == "new 0, pre_start 0, post_stop 0");
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.life_of("x") == "new 0, pre_start 0, post_stop 0, new 1, pre_start 1");
    test.world.send(child(test).value, PoisonPill{});
    CHECK_FALSE(supervisor(test));
  });
}

TEST_CASE("170 what no rule of a back-off supervisor's strategy names is for the default decider") {
  const std::string rule =
      "supervisor-strategy { decider { \"actord::conformance::Resuming\" = resume } }";
  under_config(behind("mode = on-failure", rule), [](SeededTest& test) {
    const Ref old = child(test);
    test.fail<Resuming>(old);
    CHECK(child(test) == old);
    test.fail<Escalating>(old);
    CHECK(time_until_child(test) == 100 * ms);
  });
}

TEST_CASE("172a a configured actor that is down leaves its messages to dead letters") {
  for (const char* word : {"mode = on-failure", "mode = on-failure, while-down = dead-letter"}) {
    under_config(behind(word), [](SeededTest& test) {
      const auto& letters = test.read_dead_letters();
      test.fail<Restarting>(child(test));
      ask(test, 1);
      REQUIRE(letters.size() == 1);
      CHECK(letters[0].type == "play.Question/1");
      CHECK(letters[0].sender == test.find("/user/y"));
    });
  }
}

TEST_CASE("172b a configured reply is a message by name, with fields or as it is by default") {
  const std::pair<std::string, std::string> rows[] = {
      {"reply = \"play.Answer/1\", with { n = 99 }", "y answer 99"},
      {"reply = \"play.Answer/1\"", "y answer 0"}};
  for (const auto& [reply, heard] : rows) {
    under_config(behind("mode = on-failure, while-down { " + reply + " }"), [&](SeededTest& test) {
      test.fail<Restarting>(child(test));
      ask(test, 1);
      CHECK(test.count(heard) == 1);
      time_until_child(test);
      ask(test, 7);
      CHECK(test.count("y answer 7") == 1);
    });
  }
  const std::string wrong =
      behind("mode = on-failure, while-down { reply = \"play.Answer/1\", with { m = 99 } }");
  CHECK_HAS(faults_of(wrong), "known here: n");
  CHECK_HAS(faults_of(behind("mode = on-failure, while-down.reply = \"play.Anser/1\"")),
            "unknown message \"play.Anser/1\"");
}

TEST_CASE("172c messages to a configured actor that is down go to another actor, or are dropped") {
  under_config(behind("mode = on-failure, while-down { forward = \"/user/y\" }"),
               [](SeededTest& test) {
                 const auto& letters = test.read_dead_letters();
                 test.fail<Restarting>(child(test));
                 const Ref asker = test.spawn("asker");
                 const auto note = [&](int n) {
                   test.perform(asker, [n](ScriptedActor&, Context& ctx) {
                     ctx.tell(ctx.find("/user/x"), Question{n});
                   });
                 };
                 note(3);
                 CHECK(test.count("asker answer 3") == 1);
                 test.stop(test.find("/user/y"));
                 note(4);
                 CHECK(test.count("asker answer 4") == 0);
                 REQUIRE(letters.size() == 1);
                 CHECK(letters[0].sender == asker);
               });
}

TEST_CASE("174a the configured cap is that of delayed starts, wherever it is written") {
  const std::string in_strategy =
      "supervisor-strategy { max-restarts = 2, decider { default = stop } }";
  for (const std::string& text : {behind("mode = on-stop, max-restarts = 2", stopping),
                                  behind("mode = on-stop", in_strategy)}) {
    under_config(text, [](SeededTest& test) {
      for (const int delay : {100, 200}) {
        test.fail<Restarting>(child(test));
        CHECK(time_until_child(test) == delay * ms);
      }
      test.fail<Restarting>(child(test));
      CHECK_FALSE(supervisor(test));
      CHECK(test.world.events("supervisor.limit").size() == 1);
    });
  }
}

TEST_CASE("175a a configured reset comes so long after a delayed start") {
  const std::string text =
      "actord.user { " +
      conformance::actor("x",
                         "backoff-supervisor { mode = on-failure, min = 100 ms, max = 800 ms, "
                         "random-factor = 0, reset-after = 300 ms }") +
      " }";
  under_config(text, [](SeededTest& test) {
    for (int i = 0; i < 2; ++i) {
      test.fail<Restarting>(child(test));
      CHECK(time_until_child(test) == 100 * ms);
      test.world.advance(300ms);
    }
    test.fail<Restarting>(child(test));
    time_until_child(test);
    test.world.advance(299ms);
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 200 * ms);
  });
}

TEST_CASE("178a a message that the configuration calls final makes the next end the last") {
  under_config(
      behind("mode = on-stop, final-stop = [\"play.BackgroundMessage/1\", \"play.Note/1\"]",
             stopping),
      [](SeededTest& test) {
        test.note(supervisor(test), 9);
        test.world.run();
        CHECK(test.count("x got 9") == 1);
        test.fail<Restarting>(child(test));
        CHECK_FALSE(supervisor(test));
      });
}

TEST_CASE("178c a configured final message while the actor is down ends its supervisor at once") {
  under_config(behind("mode = on-stop, final-stop = [\"play.Note/1\"]", stopping),
               [](SeededTest& test) {
                 test.fail<Restarting>(child(test));
                 ask(test, 1);
                 CHECK(supervisor(test));
                 test.note(supervisor(test), 9);
                 test.world.run();
                 CHECK_FALSE(supervisor(test));
                 test.world.advance(1h);
                 CHECK(test.count("x new 1") == 0);
               });
}

TEST_CASE("178e a configured actor and its own children come back with their supervisor") {
  const std::string text =
      behind("mode = on-failure", "children { " + conformance::actor("kid") + "}");
  under_config(text, [](SeededTest& test) {
    CHECK(test.answers(test.find("/user/x/x/kid")));
    const Ref old = child(test);
    test.perform(
        old, [](ScriptedActor&, Context&) { throw 42; });  // escalates to /user, which stops all
    CHECK_FALSE(test.is_alive(old));
  });
  under_config("actord.actor.guardian-supervisor-strategy { decider.default = restart }\n" + text,
               [](SeededTest& test) {
                 const Ref old = child(test), guard = supervisor(test);
                 test.perform(old, [](ScriptedActor&, Context&) { throw 42; });
                 CHECK(supervisor(test) == guard);
                 CHECK(test.world.incarnation(guard.value) == 1);
                 CHECK(child(test) != old);
                 CHECK(test.answers(child(test)));
                 CHECK(test.answers(test.find("/user/x/x/kid")));
               });
}

}  // namespace actord::conformance
