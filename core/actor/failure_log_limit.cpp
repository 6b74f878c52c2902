// SPDX-License-Identifier: Apache-2.0
#include "actor/failure_log_limit.hpp"

#include <algorithm>
#include <functional>

namespace actord::actor {

namespace {

constexpr std::int64_t burst_default = 5;             // as in the daemon's configuration
constexpr std::int64_t interval_ns = 10'000'000'000;  // between two samples of a kind
constexpr std::int64_t kinds_of_actor = 4;  // an actor may write as much as this many kinds

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) noexcept {
  hash ^= with;
  hash *= 0x9E37'79B9'7F4A'7C15;
  return hash ^ hash >> 32U;
}

}  // namespace

FailureLogLimit::Kind& FailureLogLimit::kind_of(const Failure& failure, const Line& line) {
  const TypeChain* const cause = failure.root_cause().types;
  std::uint64_t hash = std::hash<std::string_view>()(line.rule);
  hash = mixed(hash, std::hash<std::string_view>()(line.event));
  hash = mixed(hash, reinterpret_cast<std::uintptr_t>(failure.types));
  hash = mixed(hash, reinterpret_cast<std::uintptr_t>(cause));
  hash = mixed(hash, reinterpret_cast<std::uintptr_t>(failure.behaviour));
  hash = mixed(hash, static_cast<std::uint64_t>(failure.phase));
  hash = mixed(hash, static_cast<std::uint64_t>(line.outcome));
  std::vector<Kind>& of_hash = kinds_[hash];
  for (Kind& kind : of_hash) {
    const UnloggedFailures& known = kind.unlogged;
    if (known.types == failure.types && known.cause_types == cause &&
        known.behaviour == failure.behaviour && known.phase == failure.phase &&
        known.rule == line.rule && known.outcome == line.outcome && known.event == line.event)
      return kind;
  }
  Kind& kind = of_hash.emplace_back();
  kind.unlogged.event = line.event;
  kind.unlogged.types = failure.types;
  kind.unlogged.cause_types = cause;
  kind.unlogged.behaviour = failure.behaviour;
  kind.unlogged.phase = failure.phase;
  kind.unlogged.rule = line.rule;
  kind.unlogged.outcome = line.outcome;
  return kind;
}

bool FailureLogLimit::admits(const Failure& failure, const Line& line, bool has_room,
                             std::int64_t now_ns) {
  const std::int64_t wanted = burst_.load(base::relaxed);
  const std::int64_t burst = wanted < 0 ? burst_default : std::max<std::int64_t>(wanted, 1);
  std::lock_guard lock(mutex_);
  if (kinds_.size() + actors_.size() > entries_max_) forget_quiet(now_ns);
  Kind& kind = kind_of(failure, line);
  if (has_room && kind.rate.allows(now_ns, burst, interval_ns)) {
    Rate& of_actor = actors_[failure.actor];
    if (of_actor.allows(now_ns, burst * kinds_of_actor, interval_ns / kinds_of_actor)) {
      kind.rate.charge(now_ns, interval_ns);
      of_actor.charge(now_ns, interval_ns / kinds_of_actor);
      return true;
    }
  }
  UnloggedFailures& unlogged = kind.unlogged;
  if (unlogged.count == 0) unlogged.level = line.level;
  unlogged.level = std::min(unlogged.level, line.level);
  if (unlogged.count++ == 0) unlogged.first_id = failure.id, unlogged.actor = failure.actor;
  else if (unlogged.actor != failure.actor) unlogged.actor = nobody;
  unlogged.last_id = failure.id;
  return false;
}

std::vector<UnloggedFailures> FailureLogLimit::take(std::int64_t now_ns) {
  std::lock_guard lock(mutex_);
  std::vector<UnloggedFailures> taken;
  for (auto& [hash, of_hash] : kinds_) {
    for (Kind& kind : of_hash) {
      if (kind.unlogged.count == 0) continue;
      taken.push_back(kind.unlogged);
      kind.unlogged.count = 0;
    }
  }
  std::ranges::sort(taken, {}, &UnloggedFailures::first_id);
  forget_quiet(now_ns);
  return taken;
}

// Forgets what would be allowed a whole burst now.
void FailureLogLimit::forget_quiet(std::int64_t now_ns) {
  for (auto& [hash, of_hash] : kinds_)
    std::erase_if(of_hash, [&](const Kind& kind) {
      return kind.unlogged.count == 0 && kind.rate.is_full(now_ns);
    });
  std::erase_if(kinds_, [](const auto& entry) { return entry.second.empty(); });
  std::erase_if(actors_, [&](const auto& entry) { return entry.second.is_full(now_ns); });
  // Where many are not quiet, the next search is not due at the next failure.
  entries_max_ = std::max(entries_min, 2 * (kinds_.size() + actors_.size()));
}

}  // namespace actord::actor
