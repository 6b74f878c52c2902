// SPDX-License-Identifier: Apache-2.0
//
// The exact formulas and defaults: section 0.
#include <cmath>

#include "actor/supervision.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using actor::request_restart;
using actor::RestartLimit;
using actor::RestartWindow;

constexpr std::int64_t second = 1'000'000'000, minute = 60 * second, day = 24 * 60 * minute;

/// The delay without a random part.
std::int64_t delay(std::int64_t count, std::int64_t min, std::int64_t max) {
  actor::Backoff backoff;
  backoff.min_ns = min;
  backoff.max_ns = max;
  backoff.random_factor = 0;
  return actor::backoff_delay(backoff, count, 0.5);
}

actor::Directive by_default(const char* type, bool is_foreign = false) {
  const bool is_ours = std::string_view{type}.starts_with("actord::");
  const actor::TypeChain chain({type, is_ours ? "actord::Failure" : "std::exception"});
  actor::Failure failure;
  failure.types = &chain;
  failure.is_foreign = is_foreign;
  return actor::default_decider(failure);
}

}  // namespace

TEST_CASE("0 restart permission: no restart allowed denies and leaves the state untouched") {
  for (const std::int64_t within : {std::int64_t{-1}, minute}) {
    RestartWindow stats;
    for (int i = 0; i < 3; ++i) CHECK_FALSE(request_restart({0, within}, stats, second));
    CHECK(stats.count == 0);
    CHECK(stats.start_ns == 0);
  }
}

TEST_CASE("0 restart permission: a number without a window is a budget for life") {
  RestartWindow stats;
  for (int i = 0; i < 3; ++i) CHECK(request_restart({3, -1}, stats, 0));
  for (int i = 0; i < 3; ++i) CHECK_FALSE(request_restart({3, -1}, stats, 0));
}

TEST_CASE("0 restart permission: a number and a window count in tumbling windows") {
  RestartWindow stats;
  const RestartLimit restart_limit{2, minute};
  CHECK(request_restart(restart_limit, stats, 1 * second));
  CHECK(stats.start_ns == 1 * second);
  CHECK(request_restart(restart_limit, stats, 61 * second));  // the boundary belongs to the window
  CHECK_FALSE(request_restart(restart_limit, stats, 61 * second));
  CHECK(request_restart(restart_limit, stats, 61 * second + 1));
  CHECK(stats.count == 1);
  CHECK(stats.start_ns == 61 * second + 1);
}

TEST_CASE("0 restart permission: unlimited within a window is one, and without a window no limit") {
  RestartWindow stats;
  CHECK(request_restart({-1, minute}, stats, second));
  CHECK_FALSE(request_restart({-1, minute}, stats, 2 * second));
  CHECK(request_restart({-1, minute}, stats, 2 * minute));
  RestartWindow free;
  for (int i = 0; i < 1000; ++i) CHECK(request_restart({-1, -1}, free, 0));
  CHECK(free.count == 0);
}

TEST_CASE("0 back-off delay: the reference vectors") {
  CHECK(delay(0, 5 * minute, 7 * minute) == 5 * minute);
  CHECK(delay(2, 5 * second, 7 * second) == 7 * second);
  CHECK(delay(2, 5 * second, 7 * day) == 20 * second);
  CHECK(delay(29, 5 * minute, 10 * minute) == 10 * minute);
  CHECK(delay(std::numeric_limits<int>::max(), 10'000 * day, 10'000 * day) == 10'000 * day);
  CHECK(delay(0, 0, 0) == 0);
  const std::int64_t series[] = {3, 6, 12, 24, 30, 30};
  for (std::int64_t n = 0; n < 6; ++n)
    CHECK(delay(n, 3 * second, 30 * second) == series[n] * second);
}

TEST_CASE("0 back-off delay: the random part comes after the cap and only lengthens") {
  actor::Backoff backoff;
  backoff.min_ns = second;
  backoff.max_ns = 4 * second;
  backoff.random_factor = 0.5;
  for (std::int64_t n = 0; n < 5; ++n) {
    const std::int64_t nominal = std::min<std::int64_t>(4, std::int64_t{1} << n) * second;
    CHECK(actor::backoff_delay(backoff, n, 0.0) == nominal);
    const std::int64_t longest = actor::backoff_delay(backoff, n, std::nextafter(1.0, 0.0));
    CHECK(longest > nominal);
    CHECK(longest <= nominal + nominal / 2);
  }
}

TEST_CASE("0 the default decider") {
  using actor::Directive;
  CHECK(by_default("actord::InitializationFailure") == Directive::stop);
  CHECK(by_default("actord::Killed") == Directive::stop);
  CHECK(by_default("actord::DeathPact") == Directive::stop);
  CHECK(by_default("std::runtime_error") == Directive::restart);
  CHECK(by_default("int", true) == Directive::escalate);
  const actor::Strategy& strategy = actor::default_strategy();
  CHECK(strategy.kind == actor::Strategy::Kind::one_for_one);
  CHECK(strategy.restart_limit.max_restarts < 0);
  CHECK(strategy.restart_limit.within_ns < 0);
  CHECK(strategy.is_logging);
  CHECK_FALSE(strategy.backoff);
}

}  // namespace actord::conformance
