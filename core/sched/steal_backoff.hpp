// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a steal has paid, and for how long a thief then leaves the victim alone. The
// cache lines of a stolen task, and of the messages it sends, move from core to core. If that takes
// much longer than the work itself, two workers do less than one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/assert.hpp"

namespace actord::sched {

/// One steal, as the thief notes it for itself. The thief runs the stolen tasks, and the tasks that
/// they make runnable, until it has none left; then has_paid() assesses the steal.
struct Steal {
  /// A steal has not paid if a task takes the thief more than this many times as long as it takes
  /// the victim.
  static constexpr std::int64_t slowdown_max = 3;
  /// Moving a task to another core takes less time than this. If a stolen task takes longer, the
  /// reason is not the move: the task differs from the victim's other tasks, or the thief has lost
  /// its core for a while.
  static constexpr std::int64_t move_cost_max_ns = 5'000;

  std::int64_t at_ns = 0;
  std::int64_t task_ns = 0;       // time of a task on the victim, on average
  std::uint64_t tasks = 0;        // stolen
  std::uint64_t runs_before = 0;  // Worker::runs of the thief at the steal

  /// Called when the thief has no task left; `runs` is its Worker::runs then. A steal has also paid
  /// if the stolen tasks made at least as many others runnable, like the root of a tree of actors.
  bool has_paid(std::uint64_t runs, std::int64_t now_ns) const noexcept {
    ACTORD_ASSERT(runs >= runs_before);
    const std::uint64_t ran = runs - runs_before;
    if (ran == 0) return false;
    if (ran >= 2 * tasks) return true;
    const std::int64_t each_ns = (now_ns - at_ns) / static_cast<std::int64_t>(ran);
    return each_ns <= task_ns * slowdown_max || each_ns >= move_cost_max_ns;
  }
};

/// How long a thief leaves one victim alone: 1 ms after a steal that has not paid, twice as long
/// after each further one that follows soon, up to 16 ms. A longer delay would still hold when the
/// victim has long had tasks of another kind, which are worth stealing.
class StealBackoff {
 public:
  static constexpr std::int64_t delay_min_ns = 1'000'000, delay_max_ns = 16'000'000;

  void record(bool has_paid, std::int64_t now_ns) noexcept {
    const bool is_soon = now_ns - until_ns_ <= delay_max_ns;
    const std::int64_t longer_ns =
        is_soon ? std::clamp(delay_ns_ * 2, delay_min_ns, delay_max_ns) : delay_min_ns;
    delay_ns_ = has_paid ? 0 : longer_ns;
    until_ns_ = now_ns + delay_ns_;
  }
  /// Whether the thief steals nothing from the victim at `now_ns`.
  bool is_active(std::int64_t now_ns) const noexcept { return now_ns < until_ns_; }

 private:
  std::int64_t delay_ns_ = 0, until_ns_ = 0;
};

}  // namespace actord::sched
