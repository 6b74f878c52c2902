// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;
using actor::Strategy;
using Mode = BackoffSupervisorSettings::Mode;

namespace {

std::string node(const std::string& block, const std::string& rest = "") {
  return "actord.user.x { behaviour = \"a/B\", " + rest + "\nbackoff-supervisor { " + block +
         " } }";
}

const std::string on_stop = "mode = on-stop, min = 1 s, max = 9 s, ";
const std::string on_failure = "mode = on-failure, min = 1 s, max = 9 s, ";

Node read_node(const std::string& block, const std::string& rest = "") {
  const Settings s = read(node(block, rest));
  REQUIRE(s.user.size() == 1);
  REQUIRE(s.user[0].backoff);
  return s.user[0];
}

std::string wrong(const std::string& block, const std::string& rest = "") {
  return errors(node(block, rest));
}

}  // namespace

TEST_SUITE_BEGIN("settings/backoff_reader");

TEST_CASE("mode, min and max are enough, and the rest has defaults") {
  const Settings s = read(node(on_failure));
  const BackoffSupervisorSettings& backoff = *s.user.at(0).backoff;
  CHECK(backoff.mode == Mode::on_failure);
  CHECK(backoff.min_ns == 1'000'000'000);
  CHECK(backoff.max_ns == 9'000'000'000);
  CHECK(backoff.random_factor == 0.2);
  CHECK(backoff.reset_after_ns == 1'000'000'000);
  CHECK_FALSE(backoff.reply);
  CHECK_FALSE(backoff.forward);
  CHECK(backoff.final_stop.empty());
  CHECK_FALSE(s.user[0].options.strategy);
  CHECK(s.warnings.empty());
}

TEST_CASE("every key that is written is read") {
  const Settings s =
      read(node(on_stop + R"(random-factor = 0.5, reset-after = 5 s, max-restarts = 7,
        while-down { reply = "a.Busy/1", with { text = later } }
        final-stop = ["a.Bye/1", "a.End/1"])",
                "supervisor-strategy = stopping"));
  const Node& x = s.user.at(0);
  CHECK(x.backoff->mode == Mode::on_stop);
  CHECK(x.backoff->random_factor == 0.5);
  CHECK(x.backoff->reset_after_ns == 5'000'000'000);
  CHECK(x.backoff->reply.text() == "a.Busy/1");
  CHECK(x.backoff->reply_fields.member("text").text() == "later");
  REQUIRE(x.backoff->final_stop.size() == 2);
  CHECK(x.backoff->final_stop[1].text() == "a.End/1");
  CHECK(x.options.strategy->name == "stopping");
  CHECK(x.options.strategy->restart_limit.max_restarts == 7);
  CHECK(read_node(on_failure + "reset = manual").backoff->reset_after_ns == 0);
  const Settings other = read(node(on_failure + "while-down { forward = \"/user/y\" }"));
  CHECK(other.user[0].backoff->forward.text() == "/user/y");
  CHECK_FALSE(read_node(on_failure + "while-down = dead-letter").backoff->forward);
  CHECK(read("actord.user.x { behaviour = \"a/B\", backoff-supervisor = null }").user.size() == 1);
}

TEST_CASE("what must be there is asked for") {
  CHECK_HAS(wrong("min = 1 s, max = 2 s"), "backoff-supervisor needs mode");
  CHECK_HAS(wrong("mode = on-stop, max = 2 s"), "backoff-supervisor needs min");
  CHECK_HAS(wrong("mode = on-stop, min = 2 s"), "backoff-supervisor needs max");
}

TEST_CASE("wrong values are errors at their place (supervision.md 178d)") {
  CHECK_HAS(wrong("mode = on-fail, min = 1 s, max = 2 s"), "expected one of on-stop, on-failure");
  CHECK_HAS(wrong("mode = on-stop, min = 0, max = 2 s"), "more than 0");
  CHECK_HAS(wrong("mode = on-stop, min = 3 s, max = 2 s"), "test.conf:2:55: error: max is shorter");
  CHECK_HAS(wrong(on_stop + "random-factor = 1.5"), "from 0 to 1");
  CHECK_HAS(wrong(on_stop + "reset = never"), "expected one of auto, manual");
  CHECK_HAS(wrong(on_stop + "reset-after = 10 s"), "reset-after must lie between min and max");
  CHECK_HAS(wrong(on_stop + "reset-after = 10 ms"), "reset-after must lie between min and max");
  CHECK_HAS(wrong(on_stop + "reset = manual, reset-after = 2 s"), "reset-after needs reset = auto");
  CHECK_HAS(wrong(on_stop + "max-restarts = some"), "unlimited, never or a number");
  CHECK_HAS(wrong(on_failure + "final-stop = [\"a.Bye/1\"]"), "final-stop needs mode = on-stop");
  CHECK_HAS(wrong(on_stop + "final-stop = \"a.Bye/1\""), "expected a list");
  CHECK_HAS(wrong(on_stop + "final-stop = [[]]"), "expected the name of a message");
}

TEST_CASE("while-down is one of three") {
  CHECK_HAS(wrong(on_stop + "while-down = dead-leter"), "did you mean \"dead-letter\"?");
  CHECK_HAS(wrong(on_stop + "while-down {}"), "needs either reply or forward");
  CHECK_HAS(wrong(on_stop + "while-down { reply = \"a.B/1\", forward = \"/user/y\" }"),
            "needs either reply or forward");
  CHECK_HAS(wrong(on_stop + "while-down { forward = y }"), "expected the path of an actor");
  CHECK_HAS(wrong(on_stop + "while-down { forward = \"/user/y\", with {} }"),
            "`with` needs a reply");
  CHECK_HAS(wrong(on_stop + "while-down { reply = 3 }"), "expected the name of a message");
  CHECK_HAS(wrong(on_stop + "while-down { reply = \"a.B/1\", with = 3 }"), "expected an object");
  CHECK_HAS(wrong(on_stop + "while-down { repl = \"a.B/1\" }"), "did you mean \"reply\"?");
}

TEST_CASE("Akka's keys are refused with our names for them") {
  CHECK_HAS(wrong(on_stop + "min-backoff = 3 s"), "its name is \"min\" in actord");
  CHECK_HAS(wrong(on_stop + "max-nr-of-retries = 3"), "its name is \"max-restarts\" in actord");
  CHECK_HAS(wrong(on_stop + "rest = auto"), "did you mean \"reset\"?");
}

TEST_CASE("the limit lives on the strategy and is said once (supervision.md 174d)") {
  CHECK(read_node(on_failure + "max-restarts = 4").options.strategy->restart_limit.max_restarts ==
        4);
  CHECK(read_node(on_failure, "supervisor-strategy { max-restarts = 4, within = 9 s }")
            .options.strategy->restart_limit.max_restarts == 4);
  const std::string text =
      wrong(on_failure + "max-restarts = 4", "supervisor-strategy.max-restarts = 5");
  CHECK_HAS(text, "max-restarts is also set in supervisor-strategy");
  CHECK_HAS(text, "the other one is at test.conf:1");
}

TEST_CASE("-1 as in Akka is unlimited, with a warning (supervision.md 174c, 80)") {
  for (const char* number : {"-1", "-5"}) {
    const Settings s = read(node(on_failure + "max-restarts = " + number));
    CHECK(s.user[0].options.strategy->restart_limit.max_restarts == actor::RestartLimit::unlimited);
    CHECK_HAS(hocon::format(s.warnings), std::string{number} + " means unlimited");
  }
}

TEST_CASE("what no rule names is for the default decider (supervision.md 170)") {
  const std::string rule = "supervisor-strategy { decider { \"a::E\" = resume } }";
  CHECK(read_node(on_failure, rule).options.strategy->otherwise ==
        Strategy::Otherwise::default_decider);
  const std::string both = "supervisor-strategy { decider { \"a::E\" = resume, default = stop } }";
  CHECK(read_node(on_failure, both).options.strategy->otherwise == Strategy::Otherwise::stop);
  CHECK_HAS(wrong(on_failure, "supervisor-strategy { decider { default = code } }"),
            "`code` needs a supervisor with a behaviour");
}

TEST_CASE("a back-off supervisor's strategy has no backoff of its own") {
  CHECK_HAS(wrong(on_failure, "supervisor-strategy.backoff { min = 1 s, max = 2 s }"),
            "its strategy must not have a backoff");
}

TEST_CASE("on-stop with a strategy that restarts is warned of") {
  const auto warned = [](const std::string& rest, const std::string& more = "") {
    return warnings(node(on_stop, rest) + '\n' + more);
  };
  CHECK_HAS(warned(""), "test.conf:2:1: warning: with on-stop restarts are not delayed");
  CHECK_HAS(warned(""), "decides restart for any exception without a rule");
  CHECK_HAS(warned("supervisor-strategy { decider { \"a::E\" = restart, default = stop } }"),
            "decides restart for a::E");
  CHECK(warned("supervisor-strategy = stopping").empty());
  CHECK(warned("supervisor-strategy { decider { default = stop } }").empty());
  CHECK(warned("", "actord.actor.deployment { \"/user/**\" { supervisor-strategy = stopping } }")
            .empty());
  CHECK(warnings(node(on_failure)).empty());
}

TEST_CASE("the children of the actor are below it, not below its supervisor") {
  const Settings s = read(node(on_failure, "children { y { behaviour = \"a/B\" } }"));
  CHECK(s.user[0].path == "/user/x");
  CHECK(s.user[0].children.at(0).path == "/user/x/x/y");
}

TEST_SUITE_END();
