// SPDX-License-Identifier: Apache-2.0
#include "sim/model.hpp"

#include <algorithm>
#include <utility>

namespace actord::sim {

namespace {

constexpr std::string_view stage_names[] = {
    "unborn",         "constructing", "constructed",    "starting",      "creation failed",
    "running",        "restarting",   "reconstructing", "reconstructed", "in post_restart",
    "restart failed", "stopping",     "stopped"};

// The types of a failure, the most derived first. Only `size` of them count.
struct Chain {
  Cause types[2];
  std::size_t size;
};

Chain chain_of(const ObservedFailure& failure) {
  if (failure.wrapped == ObservedFailure::Wrapped::post_restart)
    return {{Cause::post_restart, Cause::initialization}, 2};
  if (failure.wrapped == ObservedFailure::Wrapped::initialization)
    return {{Cause::initialization, Cause::initialization}, 1};
  if (failure.cause == Cause::hard || failure.cause == Cause::soft)
    return {{failure.cause, Cause::flaw}, 2};
  return {{failure.cause, failure.cause}, 1};
}

}  // namespace

// ---- supervision.md, section 0 ------------------------------------------------------------------

bool RestartCount::charge(const StrategyPlan& strategy, std::int64_t now_ns) {
  const bool is_limited = strategy.max_restarts >= 0, is_timed = strategy.within_ns >= 0;
  if (strategy.max_restarts == 0) return false;
  if (!is_limited && !is_timed) return true;
  if (!is_timed) {
    count += 1;
    return count <= strategy.max_restarts;
  }
  const std::int64_t limit = is_limited ? strategy.max_restarts : 1;
  if (window_start_ns == 0) window_start_ns = now_ns;
  if (now_ns - window_start_ns > strategy.within_ns) {
    count = 1;
    window_start_ns = now_ns;
    return true;
  }
  count += 1;
  return count <= limit;
}

Judgement default_judgement(const ObservedFailure& failure) {
  if (failure.cause == Cause::foreign) return Judgement::escalate;
  if (failure.wrapped != ObservedFailure::Wrapped::no) return Judgement::stop;
  if (failure.cause == Cause::killed || failure.cause == Cause::death_pact) return Judgement::stop;
  return Judgement::restart;
}

Judgement judgement_of(const StrategyPlan& strategy, const ObservedFailure& failure) {
  const Chain chain = chain_of(failure);
  for (std::size_t i = 0; i < chain.size; ++i) {
    for (const auto& rule : strategy.rules) {
      if (rule.cause == chain.types[i]) return rule.judgement;
    }
  }
  if (strategy.otherwise != Judgement::undecided) return strategy.otherwise;
  return strategy.rules.empty() ? default_judgement(failure) : Judgement::escalate;
}

// ---- small things -------------------------------------------------------------------------------

void Model::expect(bool is_enabled, int invariant, Id who, const char* what) {
  if (is_enabled) return;
  const Life& life = lives_[who];
  findings_.add(invariant, std::string{what} + " of actor " + std::to_string(who) + " while " +
                               std::string{stage_names[static_cast<std::size_t>(life.stage)]} +
                               (life.is_failed ? ", failed" : "") + ", " +
                               std::to_string(life.unjudged.size()) + " failures unjudged, " +
                               std::to_string(life.due.size()) + " restarts due" +
                               (life.is_stop_due ? ", to be stopped" : ""));
}

bool Model::Life::is_delayed() const noexcept {
  return not_before_ns != 0 || std::ranges::any_of(due, [](std::int64_t at) { return at != 0; });
}

bool Model::is_finished(Id id) const {
  const Life& life = lives_[id];
  if (life.has_instance) return false;
  switch (life.stage) {
    case Stage::stopped: return true;
    case Stage::creation_failed:
    case Stage::restart_failed:
    case Stage::restarting: return life.is_stop_due || life.may_stop;
    default: return false;
  }
}

// ---- birth --------------------------------------------------------------------------------------

Id Model::spawned(Id parent, std::uint16_t strategy, std::uint64_t name) {
  const Id id = static_cast<Id>(lives_.size());
  if (name != 0) {
    for (const Id other : lives_[parent].children)
      expect(lives_[other].name != name || is_finished(other), 28, other, "a second one's name");
  }
  lives_[parent].children.push_back(id);
  Life& life = lives_.emplace_back();
  life.parent = parent;
  life.strategy = strategy;
  life.name = name;
  life.born_in = lives_[parent].incarnation;
  life.is_stop_due = lives_[parent].is_stop_due;
  life.may_stop = lives_[parent].may_stop;
  return id;
}

void Model::refused(Id parent, std::uint64_t name) {
  const auto& children = lives_[parent].children;
  const bool is_taken = std::ranges::any_of(
      children, [&](Id id) { return lives_[id].name == name && !lives_[id].is_gone; });
  expect(is_taken || lives_[parent].is_stop_due || lives_[parent].may_stop, 28, parent,
         "a refused name that nobody has, child");
}

void Model::construct(Id who, std::int64_t now_ns) {
  Life& life = lives_[who];
  expect(!life.has_instance, 12, who, "a second instance");
  switch (life.stage) {
    case Stage::unborn: life.stage = Stage::constructing; return;
    case Stage::creation_failed:
      begin_due(who);
      life.stage = Stage::constructing;
      break;
    case Stage::restart_failed: begin_due(who); [[fallthrough]];
    case Stage::restarting:
      ++life.incarnation;
      life.stage = Stage::reconstructing;
      break;
    default: expect(false, 11, who, "constructor");
  }
  // the constructor belongs to another restart, then
  if (now_ns < life.not_before_ns && life.maybe_due > 0) {
    --life.maybe_due;
    life.due.insert(life.due.begin(), std::exchange(life.not_before_ns, 0));
  }
  expect(now_ns >= life.not_before_ns, 10, who, "a constructor before the delay is over");
  if (life.not_before_ns != 0 || life.alive_since_ns != 0) life.alive_since_ns = now_ns;
  life.not_before_ns = 0;
  life.is_failed = life.may_be_failed = false;
  life.perpetrator = 0;
  life.judge_escalated();
  for (const Id child : life.children) {
    if (lives_[child].is_awaited && lives_[child].has_instance)
      expect(false, 14, child, "the parent's next constructor before the end");
  }
}

// Begins the restart that was decided first.
void Model::begin_due(Id who) {
  Life& life = lives_[who];
  if (life.due.empty() && life.maybe_due > 0) {
    --life.maybe_due;
    return;
  }
  expect(!life.due.empty(), 10, who, "a restart that nobody decided");
  if (life.due.empty()) return;
  life.not_before_ns = life.due.front();
  life.due.erase(life.due.begin());
}

void Model::constructed(Id who) {
  Life& life = lives_[who];
  life.has_instance = true;
  life.stage = life.stage == Stage::constructing ? Stage::constructed : Stage::reconstructed;
}

void Model::pre_start(Id who) {
  expect(lives_[who].stage == Stage::constructed, 11, who, "pre_start");
  lives_[who].stage = Stage::starting;
}

void Model::started(Id who) { lives_[who].stage = Stage::running; }

void Model::destroyed(Id who) {
  Life& life = lives_[who];
  expect(life.stage == Stage::stopped || life.stage == Stage::restarting ||
             life.stage == Stage::creation_failed || life.stage == Stage::restart_failed,
         12, who, "destruction");
  life.has_instance = false;
}

const StrategyPlan& Model::strategy_of(Id supervisor) const {
  static const StrategyPlan unsaid;
  const std::uint16_t number = lives_[supervisor].strategy;
  return number == no_strategy ? unsaid : scenario_.strategies[number];
}

// ---- messages and failures ----------------------------------------------------------------------

void Model::message(Id who) {
  Life& life = lives_[who];
  life.may_be_failed = false;
  expect(life.is_running(), 11, who, "a message");
  expect(life.unjudged.empty() && life.due.empty(), 5, who, "a message");
  expect(!life.is_stop_ordered, 18, who, "a message");
  const Life& parent = lives_[life.parent];
  expect(life.parent == 0 || parent.unjudged.empty() || parent.is_stop_due, 5, who,
         "a message under a failed parent");
}

void Model::failed(Id who, Cause cause, bool is_certain) {
  Life& life = lives_[who];
  ObservedFailure failure{cause, ObservedFailure::Wrapped::no};
  switch (life.stage) {
    case Stage::constructing:
    case Stage::constructed:
    case Stage::starting:
      life.stage = Stage::creation_failed;
      if (!life.due.empty()) stop_children_later(life);
      if (life.maybe_due > 0) {
        for (const Id child : life.children) may_stop(child);
      }
      failure.wrapped = ObservedFailure::Wrapped::initialization;
      break;
    case Stage::reconstructing:
    case Stage::reconstructed:
    case Stage::in_post_restart:
      life.stage = Stage::restart_failed;
      if (!life.due.empty()) stop_children_later(life);
      if (life.maybe_due > 0) {
        for (const Id child : life.children) {
          if (lives_[child].born_in == life.incarnation) may_stop(child);
        }
      }
      failure.wrapped = ObservedFailure::Wrapped::post_restart;
      break;
    case Stage::running: break;
    default: return expect(false, 11, who, "a failure");
  }
  fail(who, failure, is_certain);
}

// An actor that has failed already reports no second failure (8). The failure of a stopping actor
// is judged only if the report is read before its end (65), which no hook sees.
void Model::fail(Id who, const ObservedFailure& failure, bool is_certain) {
  Life& life = lives_[who];
  if (life.is_failed) return;
  const Judgement by_guardian =
      life.parent == 0 ? guardian_judgement(failure) : Judgement::undecided;
  if (life.is_stop_due || (!is_certain && (life.may_stop || life.may_be_failed || life.is_prone))) {
    if (by_guardian == Judgement::escalate) may_stop(0);
    if (by_guardian == Judgement::restart) ++life.maybe_due;
    return;
  }
  life.is_failed = true;
  if (by_guardian == Judgement::restart) make_due(who);
  else if (by_guardian == Judgement::stop) stop_later(who);
  else if (by_guardian == Judgement::escalate) end_all();
  else life.unjudged.push_back(failure);
}

Judgement Model::guardian_judgement(const ObservedFailure& failure) const {
  const Judgement by_default = default_judgement(failure);
  switch (scenario_.guardian) {
    case Guardian::restarting:
      return by_default == Judgement::escalate ? Judgement::stop : by_default;
    case Guardian::by_default: return by_default;
    case Guardian::stopping: break;
  }
  const bool is_foreign =
      failure.cause == Cause::foreign && failure.wrapped == ObservedFailure::Wrapped::no;
  return is_foreign ? Judgement::escalate : Judgement::stop;
}

void Model::deciding(Id supervisor, Id child, const ObservedFailure& failure) {
  const Life& life = lives_[supervisor];
  // `due` may hold restarts: one for another actor's failure may lie behind this report.
  expect(life.is_running() && life.unjudged.empty() && !life.is_failed, 9, supervisor, "decide");
  expect(lives_[child].parent == supervisor && !lives_[child].is_gone, 9, child,
         "a decision about a stranger, instead");
  reported(child, failure);
}

// A failure is judged, so it has happened and counted, even if no hook saw that.
void Model::reported(Id child, const ObservedFailure& failure) {
  Life& life = lives_[child];
  const bool is_silent = failure.cause == Cause::killed || failure.cause == Cause::death_pact;
  const bool is_late = !life.is_failed && life.unjudged.empty() &&
                       (life.is_stop_due || life.may_stop || life.may_be_failed || life.is_prone);
  const bool is_known = std::ranges::find(life.unjudged, failure) != life.unjudged.end();
  if (is_late || (is_silent && !is_known)) {
    life.unjudged.push_back(failure);
    life.is_failed = true;
  } else {
    expect(!life.unjudged.empty() || life.is_stop_due || life.may_stop || life.may_be_failed ||
               life.is_prone,
           8, child, "a judged failure");
  }
}

void Model::decided(Id supervisor, Id child, const ObservedFailure& failure, Judgement code,
                    std::span<const Id> siblings, std::int64_t now_ns) {
  Life& life = lives_[child];
  const StrategyPlan& strategy = strategy_of(supervisor);
  predicted_ = code != Judgement::undecided ? code : judgement_of(strategy, failure);
  judged_ = child;
  if (predicted_ == Judgement::escalate) {
    ++life.escalated;
    lives_[supervisor].perpetrator = child;
    return fail(supervisor, failure);
  }
  life.judge(failure);
  if (predicted_ == Judgement::resume) return resume(child);
  if (predicted_ == Judgement::restart) return restart(supervisor, child, siblings, now_ns);
  if (!strategy.is_all_for_one) return stop(child, supervisor);
  for (const Id each : siblings) stop(each, supervisor);
}

void Model::decide_failed(Id supervisor, Id child, Cause cause) {
  predicted_ = Judgement::undecided;
  ++lives_[child].escalated;
  lives_[supervisor].perpetrator = child;
  fail(supervisor, {cause, ObservedFailure::Wrapped::no});
}

void Model::verdict_reported(Id supervisor, Id child, Judgement verdict) {
  if (verdict == predicted_ && child == judged_) return;
  findings_.add(27, "actor " + std::to_string(supervisor) + " says " +
                        std::to_string(static_cast<int>(verdict)) + " of its child " +
                        std::to_string(child) + ", its strategy " +
                        std::to_string(static_cast<int>(predicted_)) + " of " +
                        std::to_string(judged_));
}

void Model::restart(Id supervisor, Id child, std::span<const Id> siblings, std::int64_t now_ns) {
  const StrategyPlan& strategy = strategy_of(supervisor);
  bool is_allowed = true;
  if (strategy.is_all_for_one) {  // supervision.md 86
    for (const Id each : siblings) {
      is_allowed = lives_[each].restarts.charge(strategy, now_ns);
      if (!is_allowed) break;
    }
  } else {
    is_allowed = lives_[child].restarts.charge(strategy, now_ns);
  }
  std::int64_t delay = 0;
  if (is_allowed && strategy.backoff_min_ns != 0) {
    Life& life = lives_[child];
    const bool is_reset =
        life.alive_since_ns != 0 && now_ns - life.alive_since_ns >= strategy.backoff_min_ns;
    // The time of the failure is not known here: after a late judgement only the shortest delay is
    // certain.
    if (is_reset) life.delays = 0;
    delay = std::min(strategy.backoff_max_ns,
                     strategy.backoff_min_ns << std::min<std::int64_t>(life.delays++, 20));
  }
  for (const Id each : strategy.is_all_for_one ? siblings : std::span<const Id>{&child, 1}) {
    if (!is_allowed) {
      stop(each, supervisor);
    } else {
      make_due(each, delay != 0 ? now_ns + delay : 0);
    }
  }
}

void Model::make_due(Id who, std::int64_t not_before_ns) {
  Life& life = lives_[who];
  life.due.push_back(not_before_ns);
  if (life.stage == Stage::creation_failed || life.stage == Stage::restart_failed)
    stop_children_later(life);
}

// Stops the children of the failed attempt before the next one: all of them if it was the first
// attempt (supervision.md 48).
void Model::stop_children_later(const Life& life) {
  for (const Id child : life.children) {
    if (life.stage == Stage::creation_failed || lives_[child].born_in == life.incarnation)
      stop_later(child);
  }
}

void Model::resume(Id who) {
  Life& life = lives_[who];
  // A reload has restarted it since that failure, and it has failed again.
  if (life.unjudged.size() > life.escalated) return;
  if (!life.due.empty() || life.stage == Stage::restarting) {
    ++life.maybe_due;  // that restart comes first; if it succeeds, it replaces this resume
    return;
  }
  if (life.stage == Stage::creation_failed || life.stage == Stage::restart_failed)
    return make_due(who);  // supervision.md 46, 57
  if (!std::exchange(life.is_failed, false)) return;
  life.may_be_failed = true;
  const Id perpetrator = std::exchange(life.perpetrator, 0);
  if (perpetrator == 0) return;
  if (!lives_[perpetrator].judge_escalated()) {  // restarted since: counts if it has failed again
    ++lives_[perpetrator].maybe_due;
    return;
  }
  resume(perpetrator);
}

// ---- restart ------------------------------------------------------------------------------------

// This restart comes before those that were decided, and does not answer for them.
void Model::reconfigured(Id who) {
  std::vector<std::int64_t>& due = lives_[who].due;
  due.insert(due.begin(), 0);
}

void Model::pre_restart(Id who) {
  Life& life = lives_[who];
  expect(life.is_running(), 12, who, "pre_restart");
  begin_due(who);
  life.stage = Stage::restarting;
}

void Model::pre_restarted(Id who, bool stops_children) {
  if (!stops_children) return;
  for (const Id child : lives_[who].children) stop(child, who);
}

void Model::post_restart(Id who) {
  expect(lives_[who].stage == Stage::reconstructed, 11, who, "post_restart");
  lives_[who].stage = Stage::in_post_restart;
}

// supervision.md 33: restarts the children that are older than this restart and not stopped.
void Model::restarted(Id who) {
  Life& life = lives_[who];
  life.stage = Stage::running;
  for (const Id child : life.children) {
    if (lives_[child].born_in < life.incarnation && !lives_[child].is_stop_ordered) make_due(child);
  }
}

// ---- the end ------------------------------------------------------------------------------------

void Model::stop(Id who, Id by) {
  stop_later(who);
  lives_[who].is_stop_ordered = true;
  lives_[who].is_awaited |= by != 0 && by == lives_[who].parent;
}

void Model::stop_later(Id who) {
  Life& life = lives_[who];
  if (std::exchange(life.is_stop_due, true)) return;
  for (const Id child : life.children) stop_later(child);
}

void Model::may_stop(Id who) {
  Life& life = lives_[who];
  if (std::exchange(life.may_stop, true)) return;
  for (const Id child : life.children) may_stop(child);
}

void Model::may_fail(Id who) {
  lives_[who].is_prone = true;
  if (lives_[who].parent == 0) may_stop(who);  // any guardian may decide to stop it
}

void Model::end_all() {
  is_ending_ = true;
  for (Life& life : lives_) life.is_stop_due = true;
}

void Model::post_stop(Id who) {
  Life& life = lives_[who];
  expect(life.is_running(), 12, who, "post_stop");
  expect(life.is_stop_due || life.may_stop, 10, who, "post_stop without a reason");
  for (const Id child : life.children) expect(is_finished(child), 13, child, "the parent's stop");
  life.stage = Stage::stopping;
}

void Model::post_stopped(Id who) { lives_[who].stage = Stage::stopped; }

void Model::child_terminated(Id parent, Id child) {
  Life& life = lives_[child];
  expect(life.parent == parent && !life.is_gone, 23, child, "a notice of the end");
  expect(is_finished(child), 23, child, "a notice of the end");
  life.is_gone = true;
}

void Model::check_settled(Id who, bool is_alive) {
  const Life& life = lives_[who];
  if (!is_alive) return expect(is_finished(who), 10, who, "no cell");
  expect(life.is_running() && life.unjudged.empty() && life.due.empty(), 10, who, "rest");
  expect(!life.is_stop_due, 10, who, "a life for ever");
}

}  // namespace actord::sim
