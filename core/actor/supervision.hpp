// SPDX-License-Identifier: Apache-2.0
//
// The decisions of supervision as pure functions: they compute what is to be done and do nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "actor/crash_charge.hpp"
#include "actor/failure.hpp"
#include "actor/strategy.hpp"

namespace actord::actor {

/// What a strategy decides about a failure, and which of its rules decided.
struct Verdict {
  Directive directive = Directive::escalate;
  std::string_view rule;    // the type that the rule names, or "default", "code", "review"
  std::string_view origin;  // "file:line" of the rule; empty if it is in code
  int level = -1;           // of the log line; -1: the default
};

/// The verdict of the strategy's rules; undecided if the behaviour's code is to decide
/// (Strategy::Otherwise::code). The rule for the most derived type wins; among rules for one type,
/// the first (supervision.md 17).
Verdict judge(const Strategy& strategy, const Failure& failure);

/// Where the rule of the verdict stands: "file:line"; "code: " and the supervisor's behaviour;
/// "default" for the strategies of Akka that the operator has not chosen.
std::string origin_of(const Strategy& strategy, const Verdict& verdict, std::string_view behaviour);
/// The same for the strategy as a whole, of which the restart limit is a part.
std::string origin_of(const Strategy& strategy, std::string_view behaviour);

/// supervision.md, section 0: initialization failures, kills and death pacts stop the child; a
/// foreign exception escalates; every other failure restarts it.
Directive default_decider(const Failure& failure);

/// Restarts that a limit has counted.
struct RestartWindow {
  std::int64_t count = 0;
  std::int64_t start_ns = 0;  // monotonic; 0: no window is open
};

/// The setting actord.actor.restart-storm.
struct StormGuard {
  std::int64_t threshold = -1;  // restarts within `within_ns` that are not delayed; negative: off
  std::int64_t within_ns = 0;
  std::int64_t delay_min_ns = 0, delay_max_ns = 0;
};

/// What the storm guard counts, for one child or for all children of an all-for-one supervisor.
struct StormCount {
  RestartWindow window;
  std::int64_t delayed_restarts = 0;  // 0: there is no storm
  std::int64_t calm_at_ns = 0;        // the storm is over if there is no failure until then
};

/// What a supervisor counts for one child. A new child begins with zeros, even if an earlier child
/// had its name.
struct ChildStats {
  RestartWindow window;
  std::int64_t unlimited_restarts = 0;  // those that no limit has counted
  std::int64_t delayed_restarts = 0;    // consecutive delayed restarts, for the back-off
  StormCount storm;
};

/// True if the restart limit allows one more restart of the child. Charges it as supervision.md,
/// section 0, says. `now_ns` is used only if the limit has a window.
bool request_restart(const RestartLimit& restart_limit, RestartWindow& window, std::int64_t now_ns);

/// Counts the crashes of earlier processes that a new child is charged with, but the one that is
/// yet to be judged, as if its supervisor had judged each of them at its time.
void charge_crashes(const Strategy& strategy, const CrashCharge& charge, ChildStats& stats,
                    std::int64_t now_ns);

/// supervision.md, section 4: the delay in ns that the guard gives to a restart; 0: none.
/// `lived_ns` is the age of the incarnation that failed, or -1 if nothing has measured it: a child
/// that was created during a storm of its all-for-one group, and has not been delayed yet.
std::int64_t storm_delay(const StormGuard& guard, StormCount& count, std::int64_t now_ns,
                         std::int64_t lived_ns);

/// supervision.md, section 0: min * 2^count, at most max, plus a random part of at most
/// random_factor of it. `unit` is the random number, uniform in [0, 1). A result that overflows
/// becomes max.
std::int64_t backoff_delay(const Backoff& backoff, std::int64_t count, double unit);

}  // namespace actord::actor
