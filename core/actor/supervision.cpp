// SPDX-License-Identifier: Apache-2.0
#include "actor/supervision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace actord::actor {

Verdict judge(const Strategy& strategy, const Failure& failure) {
  for (const std::string& type : failure.types->names) {
    for (const Rule& rule : strategy.rules) {
      if (rule.type == type) return {rule.directive, rule.type, rule.origin, rule.level};
    }
  }
  Verdict verdict{Directive::escalate, "default", strategy.otherwise_origin, -1};
  switch (strategy.otherwise) {
    case Strategy::Otherwise::resume: verdict.directive = Directive::resume; break;
    case Strategy::Otherwise::restart: verdict.directive = Directive::restart; break;
    case Strategy::Otherwise::stop: verdict.directive = Directive::stop; break;
    case Strategy::Otherwise::escalate: verdict.directive = Directive::escalate; break;
    case Strategy::Otherwise::default_decider: verdict.directive = default_decider(failure); break;
    case Strategy::Otherwise::code: verdict.directive = Directive::undecided; break;
  }
  return verdict;
}

std::string origin_of(const Strategy& strategy, std::string_view behaviour) {
  if (!strategy.origin.empty()) return strategy.origin;
  const bool is_akkas =
      strategy.name == default_strategy().name || strategy.name == stopping_strategy().name;
  return is_akkas ? "default" : std::string{"code: "}.append(behaviour);
}

std::string origin_of(const Strategy& strategy, const Verdict& verdict,
                      std::string_view behaviour) {
  if (!verdict.origin.empty()) return std::string{verdict.origin};
  const bool is_of_hook = verdict.rule == "code" || verdict.rule == "review";
  return is_of_hook ? std::string{"code: "}.append(behaviour) : origin_of(strategy, behaviour);
}

Directive default_decider(const Failure& failure) {
  const TypeChain& types = *failure.types;
  if (failure.is_foreign || types.is_foreign) return Directive::escalate;
  const bool stops = types.is_initialization_failure || types.is_kill || types.is_death_pact;
  return stops ? Directive::stop : Directive::restart;
}

bool request_restart(const RestartLimit& restart_limit, RestartWindow& window,
                     std::int64_t now_ns) {
  const bool has_limit = restart_limit.max_restarts >= 0;
  const bool has_window = restart_limit.within_ns >= 0;
  if (has_limit && restart_limit.max_restarts == 0) return false;
  if (!has_window) {
    if (!has_limit) return true;
    return ++window.count <= restart_limit.max_restarts;
  }
  const std::int64_t limit = has_limit ? restart_limit.max_restarts : 1;
  if (window.start_ns == 0) window.start_ns = now_ns;
  if (now_ns - window.start_ns <= restart_limit.within_ns) return ++window.count <= limit;
  window = {1, now_ns};
  return true;
}

void charge_crashes(const Strategy& strategy, const CrashCharge& charge, ChildStats& stats,
                    std::int64_t now_ns) {
  const auto count = [&](const CrashCharge::Crash& each) {
    const RestartLimit& limit = strategy.restart_limit;
    const bool is_too_old = limit.within_ns >= 0 && each.ago_ns > limit.within_ns;
    // The clock may have begun since, with the machine.
    const std::int64_t at_ns = std::max<std::int64_t>(now_ns - each.ago_ns, 1);
    if (is_unlimited(limit)) ++stats.unlimited_restarts;
    else if (!is_too_old) request_restart(limit, stats.window, at_ns);
    if (!strategy.backoff) return;
    if (each.lived_ns >= strategy.backoff->reset_after_ns) stats.delayed_restarts = 0;
    ++stats.delayed_restarts;
  };
  for (const CrashCharge::Crash& each : charge.earlier) count(each);
  if (charge.is_judged) count(charge.last);
}

std::int64_t storm_delay(const StormGuard& guard, StormCount& count, std::int64_t now_ns,
                         std::int64_t lived_ns) {
  if (guard.threshold < 0) return 0;
  const bool is_calm = lived_ns >= 0 ? lived_ns >= guard.delay_max_ns : now_ns >= count.calm_at_ns;
  if (count.delayed_restarts > 0 && is_calm) count = {};
  if (count.delayed_restarts == 0 &&
      request_restart({guard.threshold, guard.within_ns}, count.window, now_ns))
    return 0;
  const Backoff delays{.min_ns = guard.delay_min_ns, .max_ns = guard.delay_max_ns};
  const std::int64_t delay = backoff_delay(delays, count.delayed_restarts++, 0.0);
  count.calm_at_ns = now_ns + delay + guard.delay_max_ns;
  return delay;
}

std::int64_t backoff_delay(const Backoff& backoff, std::int64_t count, double unit) {
  const double grown = static_cast<double>(backoff.min_ns) *
                       std::exp2(static_cast<double>(std::min<std::int64_t>(count, 1024)));
  const double capped = std::min(static_cast<double>(backoff.max_ns), grown);
  const double delay = capped * (1.0 + unit * backoff.random_factor);
  if (!std::isfinite(delay) ||
      delay >= static_cast<double>(std::numeric_limits<std::int64_t>::max()))
    return backoff.max_ns;
  if (capped == static_cast<double>(backoff.max_ns) && unit * backoff.random_factor == 0.0)
    return backoff.max_ns;
  return static_cast<std::int64_t>(delay);
}

}  // namespace actord::actor
