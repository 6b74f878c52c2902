// SPDX-License-Identifier: Apache-2.0
//
// The formulas and defaults of supervision.md, section 0, row by row.
#include "actor/supervision.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/supervision");

namespace {

constexpr std::int64_t s = 1'000'000'000, min = 60 * s, day = 24 * 60 * min;
constexpr std::int64_t never = -1;  // a window that never ends

/// Requests restarts at these times; returns "y" or "n" for each.
std::string asked(const RestartLimit& restart_limit, std::initializer_list<std::int64_t> times_ns,
                  RestartWindow window = {}) {
  std::string answers;
  for (const std::int64_t at : times_ns)
    answers += request_restart(restart_limit, window, at) ? 'y' : 'n';
  return answers;
}

std::vector<std::string> names_of(std::span<const actord_str> chain) {
  std::vector<std::string> names;
  for (const actord_str name : chain) names.emplace_back(message::view(name));
  return names;
}

/// A failure with these types, the most derived first.
struct Cause {
  explicit Cause(std::vector<std::string> names) : chain{std::move(names)} {
    failure.types = &chain;
  }
  Cause(const Cause&) = delete;
  TypeChain chain;
  Failure failure;
};

Strategy rules(std::vector<std::pair<std::string, Directive>> list,
               Strategy::Otherwise otherwise = Strategy::Otherwise::escalate) {
  Strategy strategy;
  for (auto& [type, directive] : list) {
    const std::string origin = "actord.conf:" + std::to_string(strategy.rules.size() + 1);
    strategy.rules.push_back({type, directive, -1, origin});
  }
  strategy.otherwise = otherwise;
  return strategy;
}

const Backoff jitterless(std::int64_t min_ns, std::int64_t max_ns) {
  return {.min_ns = min_ns, .max_ns = max_ns, .random_factor = 0.0};
}

}  // namespace

// ---- restart permission -------------------------------------------------------------------------

TEST_CASE("no restart at all is allowed where the limit is none, and nothing is charged") {
  for (const std::int64_t within : {never, 10 * s}) {
    RestartWindow window{3, 7};
    CHECK_FALSE(request_restart({0, within}, window, 100));
    CHECK(window.count == 3);
    CHECK(window.start_ns == 7);
  }
}

TEST_CASE("without limit and window every restart is allowed, and nothing is charged") {
  RestartWindow window;
  for (int i = 0; i < 100; ++i) CHECK(request_restart({}, window, i));
  CHECK(window.count == 0);
  CHECK(window.start_ns == 0);
}

TEST_CASE("a limit without a window is for life: waiting does not help") {
  CHECK(asked({3, never}, {1, 2, 3, 4, 5}) == "yyynn");
  CHECK(asked({3, never}, {1, 365 * day, 730 * day, 1095 * day}) == "yyyn");
  CHECK(asked({1, never}, {1, 2}) == "yn");
}

TEST_CASE("within a window as many restarts are allowed as the limit says") {
  CHECK(asked({2, 1 * s}, {s, s + 1, s + 2}) == "yyn");
  CHECK(asked({2, 1 * s}, {s, s + s / 2, s + s}) == "yyn");
}

TEST_CASE("a window opens with the first failure in it, and its boundary belongs to it") {
  const RestartLimit one_in_ten{1, 10 * s};
  CHECK(asked(one_in_ten, {s, 11 * s}) == "yn");
  CHECK(asked(one_in_ten, {s, 11 * s + 1}) == "yy");
}

TEST_CASE("a failure after the window opens the next one and is its first") {
  const RestartLimit two_in_one{2, 1 * s};
  CHECK(asked(two_in_one, {s, s + 1, 3 * s, 3 * s + 1, 3 * s + 2}) == "yyyyn");
  RestartWindow window;
  request_restart(two_in_one, window, 1 * s);
  request_restart(two_in_one, window, 1 * s + 5);
  CHECK(window.count == 2);
  CHECK(window.start_ns == 1 * s);
  request_restart(two_in_one, window, 5 * s);
  CHECK(window.count == 1);
  CHECK(window.start_ns == 5 * s);
}

TEST_CASE("windows tumble: what was denied counts in its window, and the next one is fresh") {
  // A sliding window would deny the fourth request: two restarts lie in the second before it.
  CHECK(asked({2, 1 * s}, {s, s + 900'000'000, s + 950'000'000, 2 * s + 1}) == "yyny");
}

TEST_CASE("a window without a limit allows one restart in it") {
  CHECK(asked({RestartLimit::unlimited, 10 * s}, {s, 2 * s}) == "yn");
  CHECK(asked({RestartLimit::unlimited, 10 * s}, {s, 5 * s, 11 * s}) == "ynn");
  CHECK(asked({RestartLimit::unlimited, 10 * s}, {s, 11 * s + 1, 21 * s + 2}) == "yyy");
}

TEST_CASE("any negative number is no limit, and any negative window none") {
  CHECK(asked({-1, -1}, {1, 2, 3, 4}) == "yyyy");
  CHECK(asked({-7, -9}, {1, 2, 3, 4}) == "yyyy");
  CHECK(asked({-7, s}, {1, 2}) == "yn");
  CHECK(asked({2, -9}, {1, 2, 3}) == "yyn");
}

TEST_CASE("a window of nothing is a window: only failures of one instant share it") {
  CHECK(asked({1, 0}, {s, s, s + 1}) == "yny");
}

TEST_CASE("the longest window does not overflow") {
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  CHECK(asked({2, longest}, {1, longest / 2, longest}) == "yyn");
}

TEST_CASE("N restarts are N + 1 attempts: the first start is not charged") {
  constexpr int limit = 3;
  RestartWindow window;
  int attempts = 1;
  while (request_restart({limit, never}, window, 1)) ++attempts;
  CHECK(attempts == limit + 1);
}

TEST_CASE("a new child of an old name begins with an unused restart limit") {
  RestartWindow window;
  while (request_restart({2, never}, window, 1)) {}
  CHECK(asked({2, never}, {1, 2, 3}, RestartWindow{}) == "yyn");
}

// ---- back-off -----------------------------------------------------------------------------------

TEST_CASE("back-off delays are those of the reference") {
  struct Row {
    std::int64_t count, min_ns, max_ns, delay_ns;
  };
  for (const Row& row :
       {Row{0, 5 * min, 7 * min, 5 * min}, Row{2, 5 * s, 7 * s, 7 * s},
        Row{2, 5 * s, 7 * day, 20 * s}, Row{29, 5 * min, 10 * min, 10 * min},
        Row{std::numeric_limits<std::int32_t>::max(), 10'000 * day, 10'000 * day, 10'000 * day},
        Row{0, 0, 0, 0}}) {
    CAPTURE(row.count);
    CAPTURE(row.min_ns);
    CHECK(backoff_delay(jitterless(row.min_ns, row.max_ns), row.count, 0.0) == row.delay_ns);
    CHECK(backoff_delay(jitterless(row.min_ns, row.max_ns), row.count, 0.999) == row.delay_ns);
  }
}

TEST_CASE("from three to thirty seconds it takes 3, 6, 12, 24, 30, 30") {
  std::vector<std::int64_t> delays;
  for (int count = 0; count < 6; ++count) {
    delays.push_back(backoff_delay(jitterless(3 * s, 30 * s), count, 0.0) / s);
  }
  CHECK(delays == std::vector<std::int64_t>{3, 6, 12, 24, 30, 30});
}

TEST_CASE("chance only lengthens a delay, and it comes after the cap") {
  const Backoff backoff{.min_ns = 3 * s, .max_ns = 30 * s, .random_factor = 0.2};
  CHECK(backoff_delay(backoff, 0, 0.0) == 3 * s);
  CHECK(backoff_delay(backoff, 0, 0.5) == 3 * s + 300'000'000);
  CHECK(backoff_delay(backoff, 10, 0.0) == 30 * s);
  CHECK(backoff_delay(backoff, 10, 0.5) == 33 * s);
  for (int count = 0; count < 20; ++count) {
    const std::int64_t delay = backoff_delay(backoff, count, 0.999999);
    CHECK(delay >= backoff_delay(backoff, count, 0.0));
    CHECK(delay < 36 * s);
  }
}

TEST_CASE("whatever overflows is the longest delay") {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(backoff_delay(jitterless(1, most), most, 0.0) == most);
  CHECK(backoff_delay({.min_ns = most / 2, .max_ns = most, .random_factor = 1.0}, 1, 0.9) == most);
  CHECK(backoff_delay(jitterless(5 * s, 60 * s), 100'000, 0.0) == 60 * s);
}

// ---- deciders -----------------------------------------------------------------------------------

TEST_CASE("the default decider stops what could not begin or was killed, and restarts the rest") {
  struct Row {
    std::vector<std::string> types;
    Directive directive;
  };
  for (const Row& row :
       {Row{names_of(causes::initialization), Directive::stop},
        Row{names_of(causes::post_restart), Directive::stop},
        Row{names_of(causes::killed), Directive::stop},
        Row{names_of(causes::death_pact), Directive::stop},
        Row{{"std::runtime_error", "std::exception"}, Directive::restart},
        Row{{"crawler::RetrievalException", "actord::Error", "std::exception"}, Directive::restart},
        Row{names_of(causes::failure), Directive::restart},
        Row{{"actord::ForeignException"}, Directive::escalate}}) {
    const Cause cause(row.types);
    CAPTURE(cause.chain.type());
    CHECK(default_decider(cause.failure) == row.directive);
    CHECK(judge(default_strategy(), cause.failure).directive == row.directive);
  }
}

TEST_CASE("a foreign exception escalates, even out of a constructor") {
  Cause cause(names_of(causes::initialization));
  cause.failure.is_foreign = true;
  CHECK(default_decider(cause.failure) == Directive::escalate);
}

TEST_CASE("the default strategy: one for one, without a limit, logging") {
  CHECK(default_strategy().kind == Strategy::Kind::one_for_one);
  CHECK(default_strategy().restart_limit.max_restarts < 0);
  CHECK(default_strategy().restart_limit.within_ns < 0);
  CHECK(default_strategy().is_logging);
  CHECK_FALSE(default_strategy().backoff);
}

TEST_CASE("the stopping strategy stops on what is ordinary and escalates the rest") {
  const auto verdict = [](const std::vector<std::string>& types) {
    return judge(stopping_strategy(), Cause(types).failure).directive;
  };
  CHECK(verdict({"std::runtime_error", "std::exception"}) == Directive::stop);
  CHECK(verdict(names_of(causes::initialization)) == Directive::stop);
  CHECK(verdict(names_of(causes::killed)) == Directive::stop);
  CHECK(verdict({"actord::ForeignException"}) == Directive::escalate);
}

TEST_CASE("the rule that names the most derived type wins, wherever it is written") {
  const Cause cause(
      {"crawler::Timeout", "crawler::RetrievalException", "std::runtime_error", "std::exception"});
  const Strategy general_first = rules({{"std::exception", Directive::stop},
                                        {"std::runtime_error", Directive::resume},
                                        {"crawler::RetrievalException", Directive::restart}});
  const Verdict verdict = judge(general_first, cause.failure);
  CHECK(verdict.directive == Directive::restart);
  CHECK(verdict.rule == "crawler::RetrievalException");
  CHECK(verdict.origin == "actord.conf:3");

  const Strategy exact_last = rules({{"crawler::RetrievalException", Directive::restart},
                                     {"crawler::Timeout", Directive::escalate}});
  CHECK(judge(exact_last, cause.failure).directive == Directive::escalate);
}

TEST_CASE("among rules for the same type the first written wins") {
  const Cause cause({"std::runtime_error", "std::exception"});
  const Strategy strategy = rules({{"std::exception", Directive::stop},
                                   {"std::runtime_error", Directive::resume},
                                   {"std::runtime_error", Directive::restart}});
  const Verdict verdict = judge(strategy, cause.failure);
  CHECK(verdict.directive == Directive::resume);
  CHECK(verdict.origin == "actord.conf:2");
}

TEST_CASE("a rule matches whole names, not parts of them") {
  const Cause cause({"crawler::RetrievalException"});
  const Strategy strategy =
      rules({{"RetrievalException", Directive::stop}, {"crawler", Directive::stop}});
  CHECK(judge(strategy, cause.failure).rule == "default");
}

TEST_CASE("what no rule names goes to the otherwise of the strategy") {
  using Otherwise = Strategy::Otherwise;
  const Cause ordinary({"std::runtime_error", "std::exception"});
  const Cause killed(names_of(causes::killed));
  const auto verdict = [](const Cause& cause, Otherwise otherwise) {
    return judge(rules({{"other::Type", Directive::resume}}, otherwise), cause.failure).directive;
  };
  CHECK(verdict(ordinary, Otherwise::resume) == Directive::resume);
  CHECK(verdict(ordinary, Otherwise::restart) == Directive::restart);
  CHECK(verdict(ordinary, Otherwise::stop) == Directive::stop);
  CHECK(verdict(ordinary, Otherwise::escalate) == Directive::escalate);
  CHECK(verdict(ordinary, Otherwise::default_decider) == Directive::restart);
  CHECK(verdict(killed, Otherwise::default_decider) == Directive::stop);
  CHECK(verdict(ordinary, Otherwise::code) == Directive::undecided);
  CHECK(judge(Strategy{}, ordinary.failure).directive == Directive::escalate);
}

TEST_CASE("a rule carries the level of its log line") {
  Strategy strategy = rules({{"std::exception", Directive::resume}});
  strategy.rules[0].level = ACTORD_DEBUG;
  CHECK(judge(strategy, Cause({"std::exception"}).failure).level == ACTORD_DEBUG);
  CHECK(judge(strategy, Cause({"other"}).failure).level == -1);
}

TEST_SUITE_END();

}  // namespace actord::actor
