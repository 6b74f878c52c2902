// SPDX-License-Identifier: Apache-2.0
//
// The decisions of supervision, pure: from what is known to what is to be done, without doing it.
#pragma once

#include <cstdint>

#include "actor/failure.hpp"
#include "actor/strategy.hpp"

namespace actord::actor {

/// What a strategy says of a cause, and which of its rules said so.
struct Verdict {
  Directive directive = Directive::escalate;
  std::string_view rule;    // the type it names, or "default"
  std::string_view origin;  // where it is written
  int level = -1;
};

/// What the rules say; undecided if it is for the behaviour's own code (Strategy::Otherwise::code).
/// The rule that names the most derived type of the chain wins, among equals the first
/// (supervision.md 17).
Verdict judge(const Strategy& strategy, const Failure& failure);

/// supervision.md, section 0: initialization failures, kills and death pacts stop; what is foreign
/// escalates; any other restarts.
Directive default_decider(const Failure& failure);

/// What a supervisor remembers of a child between failures. Zero for a new child of an old name.
struct ChildStats {
  std::int64_t count = 0;
  std::int64_t window_start_ns = 0;   // 0: no window is open
  std::int64_t delayed_restarts = 0;  // consecutive ones, for the back-off
};

/// May the child be restarted once more? Charges its budget as far as supervision.md, section 0,
/// says. `now_ns` is read only when the budget has a window.
bool request_restart(const Budget& budget, ChildStats& stats, std::int64_t now_ns);

/// supervision.md, section 0: min * 2^count, at most max, then longer by up to the random factor.
/// `unit` is uniform in [0, 1). What overflows is max.
std::int64_t backoff_delay(const Backoff& backoff, std::int64_t count, double unit);

}  // namespace actord::actor
