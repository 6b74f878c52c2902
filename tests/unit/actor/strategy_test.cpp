// SPDX-License-Identifier: Apache-2.0
//
// A plugin's declaration in C becomes the strategy that an operator reads and replaces.
#include "actor/strategy.hpp"

#include <doctest/doctest.h>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/strategy");

namespace {

actord_strategy plain() {
  actord_strategy c{};
  c.struct_size = sizeof c;
  c.kind = ACTORD_ONE_FOR_ONE;
  c.max_restarts = -1;
  c.within_ns = -1;
  c.otherwise = ACTORD_ESCALATE;
  c.is_logging = 1;
  return c;
}

}  // namespace

TEST_CASE("a strategy in code is copied whole and outlives its table") {
  Strategy strategy;
  {
    std::string type = "crawler::RetrievalException";
    actord_rule list[] = {{{type.data(), type.size()}, ACTORD_RESTART, ACTORD_WARNING},
                          {ACTORD_STR("std::exception"), ACTORD_STOP, -1}};
    const actord_backoff backoff{1'000, 60'000, 5'000, 0.5, 250};
    actord_strategy c = plain();
    c.kind = ACTORD_ALL_FOR_ONE;
    c.max_restarts = 10;
    c.within_ns = 60'000'000'000;
    c.rules = list;
    c.n_rules = 2;
    c.is_logging = 0;
    c.backoff = &backoff;
    strategy = from_c(c, "code");
    type.assign(type.size(), '?');
  }
  CHECK(strategy.name == "code");
  CHECK(strategy.kind == Strategy::Kind::all_for_one);
  CHECK(strategy.restart_limit.max_restarts == 10);
  CHECK(strategy.restart_limit.within_ns == 60'000'000'000);
  REQUIRE(strategy.rules.size() == 2);
  CHECK(strategy.rules[0].type == "crawler::RetrievalException");
  CHECK(strategy.rules[0].directive == Directive::restart);
  CHECK(strategy.rules[0].level == ACTORD_WARNING);
  CHECK(strategy.rules[1].directive == Directive::stop);
  CHECK(strategy.rules[1].level == -1);
  CHECK_FALSE(strategy.is_logging);
  CHECK(strategy.asks_code_first);
  REQUIRE(strategy.backoff);
  CHECK(strategy.backoff->min_ns == 1'000);
  CHECK(strategy.backoff->max_ns == 60'000);
  CHECK(strategy.backoff->reset_after_ns == 5'000);
  CHECK(strategy.backoff->random_factor == 0.5);
  CHECK(strategy.backoff->capacity == 250);
}

TEST_CASE("a back-off that does not say so resets after its shortest delay") {
  const actord_backoff backoff{7'000, 60'000, 0, 0.2, 1000};
  actord_strategy c = plain();
  c.backoff = &backoff;
  CHECK(from_c(c, "code").backoff->reset_after_ns == 7'000);
}

TEST_CASE(
    "a directive decides causes without a rule, and undecided leaves them to the default decider") {
  using Otherwise = Strategy::Otherwise;
  struct Row {
    actord_directive directive;
    Otherwise otherwise;
  };
  for (const Row& row :
       {Row{ACTORD_UNDECIDED, Otherwise::default_decider}, Row{ACTORD_RESUME, Otherwise::resume},
        Row{ACTORD_RESTART, Otherwise::restart}, Row{ACTORD_STOP, Otherwise::stop},
        Row{ACTORD_ESCALATE, Otherwise::escalate}, Row{42, Otherwise::escalate}}) {
    CAPTURE(row.directive);
    actord_strategy c = plain();
    c.otherwise = row.directive;
    CHECK(from_c(c, "code").otherwise == row.otherwise);
  }
}

TEST_CASE("directives have the names that config and logs use") {
  CHECK(name_of(Directive::undecided) == "undecided");
  CHECK(name_of(Directive::resume) == "resume");
  CHECK(name_of(Directive::restart) == "restart");
  CHECK(name_of(Directive::stop) == "stop");
  CHECK(name_of(Directive::escalate) == "escalate");
}

TEST_SUITE_END();

}  // namespace actord::actor
