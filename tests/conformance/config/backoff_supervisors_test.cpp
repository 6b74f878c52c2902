// SPDX-License-Identifier: Apache-2.0
//
// Back-off supervisors that a configuration puts in front of actors: items 168, 169, 172, 174, 176
// and 178 once more, from the text on.
#include "conformance/config/config_play.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t ms = 1'000'000;

/// "/user/x" with the puppet "/user/x/x" behind it, and "/user/y".
std::string behind(const std::string& backoff, const std::string& rest = "") {
  return "actord.user {\n" +
         conformance::actor("x", rest +
                                     "\nbackoff-supervisor { min = 100 ms, max = 800 ms, "
                                     "random-factor = 0, reset = manual, " +
                                     backoff + " }") +
         conformance::actor("y") + "}";
}

const std::string stopping = "supervisor-strategy = stopping";

Ref supervisor(Play& play) { return play.find("/user/x"); }
Ref child(Play& play) { return play.find("/user/x/x"); }

std::int64_t down_for(Play& play) {
  const std::int64_t begin = play.world.now_ns();
  while (!child(play)) {
    if (!play.world.simulator().advance_to_next_timer()) return -1;
  }
  return play.world.now_ns() - begin;
}

void ask(Play& play, int n) {
  play.perform(play.find("/user/y"),
               [n](Puppet&, Context& ctx) { ctx.tell(ctx.find("/user/x"), Question{n}); });
}

}  // namespace

TEST_CASE("168a a configured actor comes back after growing delays however it ended") {
  under_config(behind("mode = on-stop", stopping), [](Play& play) {
    CHECK(play.world.path(child(play).value) == "/user/x/x");
    ask(play, 1);
    CHECK(play.count("y answer 1") == 1);
    play.perform(child(play), [](Puppet&, Context& ctx) { ctx.stop_self(); });
    CHECK(down_for(play) == 100 * ms);
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 200 * ms);
    CHECK(play.world.events("actor.failed").back().field("supervisor.strategy") == "stopping");
    ask(play, 2);
    CHECK(play.count("y answer 2") == 1);
    CHECK(play.world.incarnation(supervisor(play).value) == 0);
  });
}

TEST_CASE("168d a configured actor that cannot be created does not end the boot, and is tried on") {
  auto times = std::make_shared<int>();
  under_config(
      behind("mode = on-stop"),
      [](Play& play) {
        CHECK(play.world.is_ready());
        CHECK(play.world.lost_children().empty());
        CHECK_FALSE(child(play));
        play.world.advance(299ms);
        CHECK_FALSE(child(play));
        play.world.advance(1ms);
        CHECK(play.answers(child(play)));
      },
      [times] {
        *times = 2;
        return Parts{{"x", {.pre_start = [times](Puppet&, Context&) {
                        if ((*times)-- > 0) throw Restarting("nobody listens there");
                      }}}};
      });
}

TEST_CASE("169a a configured actor that failed is started anew after the delay, without hooks") {
  under_config(behind("mode = on-failure"), [](Play& play) {
    play.fail<Restarting>(child(play));
    CHECK(play.life_of("x") == "new 0, pre_start 0, post_stop 0");
    CHECK(down_for(play) == 100 * ms);
    CHECK(play.life_of("x") == "new 0, pre_start 0, post_stop 0, new 1, pre_start 1");
    play.world.send(child(play).value, PoisonPill{});
    CHECK_FALSE(supervisor(play));
  });
}

TEST_CASE("170 what no rule of a back-off supervisor's strategy names is for the default decider") {
  const std::string rule =
      "supervisor-strategy { decider { \"actord::conformance::Resuming\" = resume } }";
  under_config(behind("mode = on-failure", rule), [](Play& play) {
    const Ref old = child(play);
    play.fail<Resuming>(old);
    CHECK(child(play) == old);
    play.fail<Escalating>(old);
    CHECK(down_for(play) == 100 * ms);
  });
}

TEST_CASE("172a a configured actor that is down leaves its messages to dead letters") {
  for (const char* word : {"mode = on-failure", "mode = on-failure, while-down = dead-letter"}) {
    under_config(behind(word), [](Play& play) {
      const auto& letters = play.read_dead_letters();
      play.fail<Restarting>(child(play));
      ask(play, 1);
      REQUIRE(letters.size() == 1);
      CHECK(letters[0].type == "play.Question/1");
      CHECK(letters[0].sender == play.find("/user/y"));
    });
  }
}

TEST_CASE("172b a configured reply is a message by name, with fields or as it is by default") {
  const std::pair<std::string, std::string> rows[] = {
      {"reply = \"play.Answer/1\", with { n = 99 }", "y answer 99"},
      {"reply = \"play.Answer/1\"", "y answer 0"}};
  for (const auto& [reply, heard] : rows) {
    under_config(behind("mode = on-failure, while-down { " + reply + " }"), [&](Play& play) {
      play.fail<Restarting>(child(play));
      ask(play, 1);
      CHECK(play.count(heard) == 1);
      down_for(play);
      ask(play, 7);
      CHECK(play.count("y answer 7") == 1);
    });
  }
  const std::string wrong =
      behind("mode = on-failure, while-down { reply = \"play.Answer/1\", with { m = 99 } }");
  CHECK_HAS(faults_of(wrong), "known here: n");
  CHECK_HAS(faults_of(behind("mode = on-failure, while-down.reply = \"play.Anser/1\"")),
            "unknown message \"play.Anser/1\"");
}

TEST_CASE("172c a configured actor that is down leaves its messages to another, or to nobody") {
  under_config(behind("mode = on-failure, while-down { forward = \"/user/y\" }"), [](Play& play) {
    const auto& letters = play.read_dead_letters();
    play.fail<Restarting>(child(play));
    const Ref asker = play.spawn("asker");
    const auto note = [&](int n) {
      play.perform(asker,
                   [n](Puppet&, Context& ctx) { ctx.tell(ctx.find("/user/x"), Question{n}); });
    };
    note(3);
    CHECK(play.count("asker answer 3") == 1);
    play.stop(play.find("/user/y"));
    note(4);
    CHECK(play.count("asker answer 4") == 0);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].sender == asker);
  });
}

TEST_CASE("174a the configured cap is that of delayed starts, wherever it is written") {
  const std::string in_strategy =
      "supervisor-strategy { max-restarts = 2, decider { default = stop } }";
  for (const std::string& text : {behind("mode = on-stop, max-restarts = 2", stopping),
                                  behind("mode = on-stop", in_strategy)}) {
    under_config(text, [](Play& play) {
      for (const int delay : {100, 200}) {
        play.fail<Restarting>(child(play));
        CHECK(down_for(play) == delay * ms);
      }
      play.fail<Restarting>(child(play));
      CHECK_FALSE(supervisor(play));
      CHECK(play.world.events("supervisor.limit").size() == 1);
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
  under_config(text, [](Play& play) {
    for (int i = 0; i < 2; ++i) {
      play.fail<Restarting>(child(play));
      CHECK(down_for(play) == 100 * ms);
      play.world.advance(300ms);
    }
    play.fail<Restarting>(child(play));
    down_for(play);
    play.world.advance(299ms);
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 200 * ms);
  });
}

TEST_CASE("178a a message that the configuration calls final makes the next end the last") {
  under_config(
      behind("mode = on-stop, final-stop = [\"play.Murmur/1\", \"play.Note/1\"]", stopping),
      [](Play& play) {
        play.note(supervisor(play), 9);
        play.world.run();
        CHECK(play.count("x got 9") == 1);
        play.fail<Restarting>(child(play));
        CHECK_FALSE(supervisor(play));
      });
}

TEST_CASE("178c a configured final message while the actor is down ends its supervisor at once") {
  under_config(behind("mode = on-stop, final-stop = [\"play.Note/1\"]", stopping), [](Play& play) {
    play.fail<Restarting>(child(play));
    ask(play, 1);
    CHECK(supervisor(play));
    play.note(supervisor(play), 9);
    play.world.run();
    CHECK_FALSE(supervisor(play));
    play.world.advance(1h);
    CHECK(play.count("x new 1") == 0);
  });
}

TEST_CASE("178e a configured actor and its own children come back with their supervisor") {
  const std::string text =
      behind("mode = on-failure", "children { " + conformance::actor("kid") + "}");
  under_config(text, [](Play& play) {
    CHECK(play.answers(play.find("/user/x/x/kid")));
    const Ref old = child(play);
    play.perform(old, [](Puppet&, Context&) { throw 42; });  // escalates to /user, and ends it all
    CHECK_FALSE(play.is_alive(old));
  });
  under_config("actord.actor.guardian-supervisor-strategy { decider.default = restart }\n" + text,
               [](Play& play) {
                 const Ref old = child(play), guard = supervisor(play);
                 play.perform(old, [](Puppet&, Context&) { throw 42; });
                 CHECK(supervisor(play) == guard);
                 CHECK(play.world.incarnation(guard.value) == 1);
                 CHECK(child(play) != old);
                 CHECK(play.answers(child(play)));
                 CHECK(play.answers(play.find("/user/x/x/kid")));
               });
}

}  // namespace actord::conformance
