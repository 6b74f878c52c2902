// SPDX-License-Identifier: Apache-2.0
//
// When a steal has paid, and for how long a thief steals no more from a victim.
#include "sched/steal_backoff.hpp"

#include <doctest/doctest.h>

#include "support/dies.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/steal_backoff");

using support::assertion_broken_by;

namespace {

constexpr std::int64_t stolen_at_ns = 5'000'000, task_ns = 100;
constexpr std::uint64_t tasks = 128, runs_before = 7;
constexpr Steal steal{stolen_at_ns, task_ns, tasks, runs_before};

bool has_paid(std::uint64_t ran, std::int64_t each_took_ns) {
  return steal.has_paid(runs_before + ran,
                        stolen_at_ns + static_cast<std::int64_t>(ran) * each_took_ns);
}

}  // namespace

TEST_CASE("stealing has paid if the thief was not much slower") {
  CHECK(has_paid(tasks, task_ns / 2));
  CHECK(has_paid(tasks, task_ns * Steal::slowdown_max));
}

TEST_CASE("stealing has not paid if moving the tasks took longer than their work") {
  CHECK_FALSE(has_paid(tasks, task_ns * Steal::slowdown_max + 1));
}

TEST_CASE("stealing has paid, even slowly, if the stolen tasks made as many others runnable") {
  CHECK(has_paid(2 * tasks, 10 * task_ns));
  CHECK_FALSE(has_paid(2 * tasks - 1, 10 * task_ns));
}

TEST_CASE("stealing has paid if the tasks turned out to be longer than any move takes") {
  CHECK(has_paid(tasks, Steal::move_cost_max_ns));
  CHECK_FALSE(has_paid(tasks, Steal::move_cost_max_ns - 1));
}

TEST_CASE("a steal after which nothing ran has not paid") {
  CHECK_FALSE(steal.has_paid(runs_before, stolen_at_ns + 1));
}

TEST_CASE(
    "each steal that did not pay doubles the time for which the victim is left alone, to 16 ms") {
  StealBackoff backoff;
  CHECK_FALSE(backoff.is_active(0));
  std::int64_t now = 1;
  for (const std::int64_t span : {1, 2, 4, 8, 16, 16}) {
    backoff.record(false, now);
    const std::int64_t until = now + span * 1'000'000;
    CHECK(backoff.is_active(until - 1));
    CHECK_FALSE(backoff.is_active(until));
    now = until;
  }
}

TEST_CASE("steals that did not pay long ago no longer count") {
  StealBackoff backoff;
  backoff.record(false, 0);
  backoff.record(false, StealBackoff::delay_min_ns);
  const std::int64_t late = 3 * StealBackoff::delay_min_ns + StealBackoff::delay_max_ns + 1;
  backoff.record(false, late);
  CHECK(backoff.is_active(late + StealBackoff::delay_min_ns - 1));
  CHECK_FALSE(backoff.is_active(late + StealBackoff::delay_min_ns));
}

TEST_CASE("a steal that has paid ends the back-off and resets its delay") {
  StealBackoff backoff;
  backoff.record(false, 0);
  backoff.record(false, 0);
  backoff.record(true, 10);
  CHECK_FALSE(backoff.is_active(10));
  backoff.record(false, 20);
  CHECK(backoff.is_active(20 + StealBackoff::delay_min_ns - 1));
  CHECK_FALSE(backoff.is_active(20 + StealBackoff::delay_min_ns));
}

TEST_CASE("a worker that has run fewer tasks than before is a bug") {
  const Steal steal{.at_ns = 0, .task_ns = 1, .tasks = 1, .runs_before = 5};
  CHECK(assertion_broken_by([&] { static_cast<void>(steal.has_paid(4, 10)); }) ==
        "runs >= runs_before");
}

TEST_SUITE_END();

}  // namespace actord::sched
