// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;
using actor::Directive;
using actor::Strategy;

namespace {

std::string node(const std::string& strategy) {
  return "actord.user.x { behaviour = \"a/B\", supervisor-strategy = " + strategy + " }";
}

Strategy strategy_of(const std::string& text) {
  const Settings s = read(node(text));
  REQUIRE(s.user.at(0).options.strategy);
  return *s.user.at(0).options.strategy;
}

std::string wrong(const std::string& strategy) { return errors(node(strategy)); }
std::string warned(const std::string& strategy) { return warnings(node(strategy)); }

}  // namespace

TEST_SUITE_BEGIN("settings/strategy_reader");

TEST_CASE("a word is enough") {
  CHECK(strategy_of("default").name == "default");
  CHECK(strategy_of("stopping").name == "stopping");
  CHECK_HAS(wrong("stoping"), "did you mean \"stopping\"?");
  CHECK_HAS(wrong("7"), "expected default, stopping or a block, got 7");
}

TEST_CASE("an empty block is the default strategy under another name") {
  const Strategy s = strategy_of("{}");
  CHECK(s.name == "config");
  CHECK(s.kind == Strategy::Kind::one_for_one);
  CHECK(s.restart_limit.max_restarts == actor::RestartLimit::unlimited);
  CHECK(s.restart_limit.within_ns == actor::RestartLimit::for_ever);
  CHECK(s.otherwise == Strategy::Otherwise::default_decider);
  CHECK(s.rules.empty());
  CHECK(s.is_logging);
  CHECK_FALSE(s.asks_code_first);
  CHECK_FALSE(s.backoff);
}

TEST_CASE("a block sets kind, restart limit and decider") {
  const Settings settings = read(R"(actord.user.x {
    supervisor-strategy {
      type = all-for-one, max-restarts = 100, within = 1 minute, logging-enabled = off
      decider {
        "crawler::RetrievalException" = restart
        "std::bad_alloc" { directive = stop, log-level = info }
        default = resume
      }
    }
  })");
  const Strategy& s = *settings.user.at(0).options.strategy;
  CHECK(s.origin == "test.conf:2");
  CHECK(s.kind == Strategy::Kind::all_for_one);
  CHECK(s.restart_limit.max_restarts == 100);
  CHECK(s.restart_limit.within_ns == 60'000'000'000);
  CHECK_FALSE(s.is_logging);
  REQUIRE(s.rules.size() == 2);
  CHECK(s.rules[0].type == "crawler::RetrievalException");
  CHECK(s.rules[0].directive == Directive::restart);
  CHECK(s.rules[0].level == -1);
  CHECK(s.rules[0].origin == "test.conf:5");
  CHECK(s.rules[1].directive == Directive::stop);
  CHECK(s.rules[1].level == ACTORD_INFO);
  CHECK(s.rules[1].origin == "test.conf:6");
  CHECK(s.otherwise == Strategy::Otherwise::resume);
  CHECK(s.otherwise_origin == "test.conf:7");
}

// ---- budgets

TEST_CASE("budgets may be written in words") {
  CHECK(strategy_of("{ max-restarts = unlimited }").restart_limit.max_restarts == -1);
  CHECK(strategy_of("{ max-restarts = never }").restart_limit.max_restarts == 0);
  CHECK(strategy_of("{ max-restarts = 0 }").restart_limit.max_restarts == 0);
  CHECK(strategy_of("{ max-restarts = 3, within = infinite }").restart_limit.within_ns == -1);
  CHECK_HAS(wrong("{ max-restarts = unlimted }"), "did you mean \"unlimited\"?");
  CHECK_HAS(wrong("{ max-restarts = 1.5 }"), "a whole number");
  CHECK_HAS(wrong("{ max-restarts = 3, within = infinit }"), "did you mean \"infinite\"?");
}

TEST_CASE("-1 as in Akka is taken with a warning that says what it means") {
  CHECK(strategy_of("{ max-restarts = -1 }").restart_limit.max_restarts == -1);
  CHECK_HAS(warned("{ max-restarts = -1 }"), "test.conf:1:");
  CHECK_HAS(warned("{ max-restarts = -1 }"), "warning: max-restarts = -1 means unlimited");
  CHECK_HAS(warned("{ max-restarts = -5 }"), "max-restarts = -5 means unlimited");
  CHECK_HAS(warned("{ max-restarts = 3, within = -1 }"), "within = -1 means infinite");
  CHECK(warned("{ max-restarts = unlimited }").empty());
}

TEST_CASE("-1 with a window means one restart in it, and the warning says so (supervision.md 71)") {
  const Strategy s = strategy_of("{ max-restarts = -1, within = 10 s }");
  CHECK(s.restart_limit.max_restarts == -1);
  CHECK(s.restart_limit.within_ns == 10'000'000'000);
  CHECK_HAS(warned("{ max-restarts = -1, within = 10 s }"),
            "max-restarts = -1 with a window means one restart within 10 s");
}

TEST_CASE(
    "a window without a number of restarts is an error: no number is guessed (supervision.md 71)") {
  CHECK_HAS(wrong("{ within = 1 minute }"), "within needs max-restarts");
}

TEST_CASE("unlimited restarts stay unlimited beside a window, and a warning says so") {
  const Strategy s = strategy_of("{ max-restarts = unlimited, within = 1 minute }");
  CHECK(s.restart_limit.max_restarts == actor::RestartLimit::unlimited);
  CHECK(s.restart_limit.within_ns == actor::RestartLimit::for_ever);
  CHECK_HAS(warned("{ max-restarts = unlimited, within = 1 minute }"), "within has no effect");
}

TEST_CASE("a window of no time is an error (supervision.md 76)") {
  CHECK_HAS(wrong("{ max-restarts = 3, within = 0 }"), "within must be longer than 0");
  CHECK_HAS(wrong("{ max-restarts = 3, within = 0 s }"), "within must be longer than 0");
  CHECK_HAS(wrong("{ max-restarts = 3, within = -5 s }"), "within must be longer than 0");
  CHECK_HAS(wrong("{ max-restarts = 3, within = 5 sec }"), "5 sec");
}

// ---- deciders

TEST_CASE("a decider without default escalates what it does not name") {
  CHECK(strategy_of("{ decider { \"std::exception\" = stop } }").otherwise ==
        Strategy::Otherwise::escalate);
  CHECK(strategy_of("{ decider { default = null } }").otherwise == Strategy::Otherwise::escalate);
}

TEST_CASE("the default may be left to the code or to the default decider") {
  CHECK(strategy_of("{ decider { default = code } }").otherwise == Strategy::Otherwise::code);
  CHECK(strategy_of("{ decider { default = default-decider } }").otherwise ==
        Strategy::Otherwise::default_decider);
  CHECK_HAS(wrong("{ decider { default = coed } }"), "did you mean \"code\"?");
}

TEST_CASE("where there is no code, none can be asked") {
  CHECK_HAS(errors("actord.user.x.supervisor-strategy.decider.default = code"),
            "`code` needs a supervisor with a behaviour");
  CHECK_HAS(errors("actord.actor.guardian-supervisor-strategy { decider { default = code } }"),
            "`code` needs a supervisor with a behaviour");
}

TEST_CASE("a wrong directive is refused") {
  CHECK_HAS(wrong("{ decider { \"a::B\" = Restart } }"), "did you mean \"restart\"?");
  CHECK_HAS(wrong("{ decider { \"a::B\" = code } }"),
            "expected one of resume, restart, stop, escalate");
  CHECK_HAS(wrong("{ decider { \"a::B\" { directive = stop, log-level = loud } } }"),
            "expected one of error, warning");
  CHECK_HAS(wrong("{ decider { \"a::B\" { directive = stop, level = info } } }"), "unknown key");
  CHECK_HAS(wrong("{ decider = restart }"), "expected an object");
}

TEST_CASE("a type with dots that is not quoted is recognised as such") {
  CHECK_HAS(wrong("{ decider { java.lang.ArithmeticException = resume } }"),
            "write a type whose name has dots in quotes");
}

TEST_CASE("rules can be changed by a later layer, and replaced after a null") {
  const std::string base = node("{ decider { \"a::B\" = stop, \"c::D\" = resume } }");
  const auto rules = [](const Settings& s) { return s.user.at(0).options.strategy->rules; };
  const auto changed =
      rules(read(base + "\nactord.user.x.supervisor-strategy.decider.\"a::B\" = restart"));
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].directive == Directive::restart);
  CHECK(changed[0].origin == "test.conf:2");
  const auto replaced = rules(
      read(base +
           "\nactord.user.x.supervisor-strategy { decider = null, decider { \"e::F\" = stop } }"));
  REQUIRE(replaced.size() == 1);
  CHECK(replaced[0].type == "e::F");
}

// ---- back-off

TEST_CASE("a back-off has min and max, and defaults for the rest") {
  const auto backoff = strategy_of("{ backoff { min = 3 s, max = 30 s } }").backoff;
  REQUIRE(backoff);
  CHECK(backoff->min_ns == 3'000'000'000);
  CHECK(backoff->max_ns == 30'000'000'000);
  CHECK(backoff->random_factor == doctest::Approx(0.2));
  CHECK(backoff->reset_after_ns == 3'000'000'000);
  CHECK(backoff->capacity == 1000);
  const auto full = strategy_of(
                        "{ backoff { min = 1 s, max = 9 s, random-factor = 0, reset-after = 5 s, "
                        "capacity = 0 } }")
                        .backoff;
  CHECK(full->random_factor == 0);
  CHECK(full->reset_after_ns == 5'000'000'000);
  CHECK(full->capacity == 0);
}

TEST_CASE("a back-off that cannot work is refused") {
  CHECK_HAS(wrong("{ backoff { max = 3 s } }"), "backoff needs min");
  CHECK_HAS(wrong("{ backoff { min = 3 s } }"), "backoff needs max");
  CHECK_HAS(wrong("{ backoff { min = 0 s, max = 3 s } }"), "more than 0");
  CHECK_HAS(wrong("{ backoff { min = 3 s, max = 1 s } }"), "max is shorter than min");
  CHECK_HAS(wrong("{ backoff { min = 3 s, max = 9 s, random-factor = 1.5 } }"),
            "a number from 0 to 1");
  CHECK_HAS(wrong("{ backoff { min = 3 s, max = 9 s, reset-after = 1 s } }"),
            "between min and max");
  CHECK_HAS(wrong("{ backoff { min-backoff = 3 s, max = 9 s } }"), "its name is \"min\" in actord");
}

// ---- keys

TEST_CASE("the error for a key of Akka names ours") {
  CHECK_HAS(wrong("{ maxNrOfRetries = 3 }"), "its name is \"max-restarts\" in actord");
  CHECK_HAS(wrong("{ within-time-range = 3 s }"), "its name is \"within\" in actord");
  CHECK_HAS(wrong("{ max-restart = 3 }"), "did you mean \"max-restarts\"?");
}

TEST_SUITE_END();
