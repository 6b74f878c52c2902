// SPDX-License-Identifier: Apache-2.0
//
// Whether stealing has paid. A stolen task drags what it touches, and what it sends, from core to
// core: where that takes much longer than the work itself, two workers do less than one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/assert.hpp"

namespace actord::sched {

/// Tasks that one worker took from another; it works on them, and on what comes of them, until it
/// has nothing left. The thief's own notes.
struct Steal {
  /// A task that takes the thief so many times as long, and brings no others, had better stayed.
  static constexpr std::int64_t too_many_times = 3;
  /// Moving one takes less. What takes longer is work, wherever it is done: then it was only not
  /// like the others there, or this thread has lost its core for a while.
  static constexpr std::int64_t most_of_moving_ns = 5'000;

  std::int64_t at_ns = 0;
  std::int64_t task_ns = 0;  // what a task took where it was, on average
  std::uint64_t tasks = 0;
  std::uint64_t runs_before = 0;  // Worker::runs of the thief

  /// With nothing left, at `now_ns` after `runs` runs. What was stolen early may be large: a tree
  /// of which the root was taken is judged by its branches, which brought more.
  bool has_paid(std::uint64_t runs, std::int64_t now_ns) const noexcept {
    ACTORD_ASSERT(runs >= runs_before);
    const std::uint64_t ran = runs - runs_before;
    if (ran == 0) return false;
    if (ran >= 2 * tasks) return true;
    const std::int64_t each_ns = (now_ns - at_ns) / static_cast<std::int64_t>(ran);
    return each_ns <= task_ns * too_many_times || each_ns >= most_of_moving_ns;
  }
};

/// How long a victim is left alone. Short, as work changes; longer if the next try, soon after,
/// shows the same.
class StealBackoff {
 public:
  static constexpr std::int64_t least_ns = 1'000'000, most_ns = 16'000'000;

  void note(bool has_paid, std::int64_t now_ns) noexcept {
    const bool is_soon = now_ns - until_ns_ <= most_ns;
    const std::int64_t longer_ns = is_soon ? std::clamp(span_ns_ * 2, least_ns, most_ns) : least_ns;
    span_ns_ = has_paid ? 0 : longer_ns;
    until_ns_ = now_ns + span_ns_;
  }
  bool holds(std::int64_t now_ns) const noexcept { return now_ns < until_ns_; }

 private:
  std::int64_t span_ns_ = 0, until_ns_ = 0;
};

}  // namespace actord::sched
