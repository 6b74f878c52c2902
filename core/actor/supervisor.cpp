// SPDX-License-Identifier: Apache-2.0
#include "actor/supervisor.hpp"

#include <algorithm>
#include <optional>

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"

namespace actord::actor::supervisor {

namespace {

// ---- the verdict --------------------------------------------------------------------------------

// A failure in the form of the C interface, created when the first hook needs it.
class LazyView {
 public:
  LazyView(const Turn& turn, const Failure& failure) : turn_(turn), failure_(failure) {}
  const actord_failure* c() {
    if (!made_) made_.emplace(turn_.view_of(failure_));
    return made_->c();
  }

 private:
  const Turn& turn_;
  const Failure& failure_;
  std::optional<FailureView> made_;
};

// Asks the decide hook of the behaviour. The sender during the call is the child that failed (10).
// Returns the supervisor's own failure if the hook fails.
FailurePtr ask_behaviour(Turn& turn, Ref child, LazyView& view, actord_directive& answer) {
  const auto hook = turn.table().decide;
  void* const instance = turn.cell().instance;
  if (hook == nullptr || instance == nullptr) return {};
  turn.sender = child;
  FailurePtr own_failure = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(instance, context, view.c(), &answer, errors);
  });
  turn.clear_current();
  return own_failure;
}

// Shows the verdict to the review hook of the behaviour, which may replace it. Returns the
// supervisor's own failure if the hook fails.
FailurePtr review(Turn& turn, Ref child, LazyView& view, Verdict& verdict) {
  const auto hook = turn.table().review;
  void* const instance = turn.cell().instance;
  if (hook == nullptr || instance == nullptr) return {};
  const auto proposed = static_cast<actord_directive>(verdict.directive);
  actord_directive answer = proposed;
  const actord_failure* const shown = view.c();
  turn.sender = child;
  FailurePtr own_failure = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(instance, context, shown, &answer, errors);
  });
  turn.clear_current();
  if (answer != proposed) verdict = {static_cast<Directive>(answer), "review", {}, -1};
  return own_failure;
}

// Decides about a child's failure. If a decider or the review fails, returns the supervisor's own
// failure, and `verdict` is meaningless.
FailurePtr decide(Turn& turn, Ref child, const Failure& failure, const Strategy& strategy,
                  Verdict& verdict) {
  LazyView view(turn, failure);
  FailurePtr own_failure;
  actord_directive answer = ACTORD_UNDECIDED;
  if (strategy.decide != nullptr) {
    own_failure = turn.call_plugin([&](actord_context*, actord_errors* errors) {
      return strategy.decide(view.c(), &answer, errors);
    });
  } else if (strategy.asks_code_first) {
    own_failure = ask_behaviour(turn, child, view, answer);
  }
  if (own_failure) return own_failure;
  if (answer != ACTORD_UNDECIDED) {
    const bool is_of_configurator = strategy.decide != nullptr;
    const std::string_view origin = is_of_configurator ? std::string_view{strategy.origin} : "";
    verdict = {static_cast<Directive>(answer), "code", origin, -1};
  } else {
    verdict = judge(strategy, failure);
    if (verdict.directive == Directive::undecided) {
      own_failure = ask_behaviour(turn, child, view, answer);
      verdict.directive =
          answer != ACTORD_UNDECIDED ? static_cast<Directive>(answer) : default_decider(failure);
      verdict.rule = "code";
    }
  }
  if (!own_failure) own_failure = review(turn, child, view, verdict);
  if (verdict.directive < Directive::resume || verdict.directive > Directive::escalate)
    verdict.directive = Directive::escalate;
  return own_failure;
}

// ---- carrying the verdict out -------------------------------------------------------------------

// Silences the failure if it is one of too many of its kind, and then returns true: it is only
// counted. The end of a configured actor is always logged.
bool is_one_too_many(Turn& turn, const Decision& decision, Failure& failure) {
  if (failure.is_silent || !turn.log().is_limited()) return false;
  const Directive outcome = decision.outcome();
  const bool is_configured = decision.child.has(Cell::configured);
  if (outcome == Directive::stop && is_configured) return false;
  const log::Level level = level_of(decision.verdict);
  if (!turn.thread().log.is_enabled(level)) return false;
  if (turn.log().admits(failure, {"actor.failed", level, decision.verdict.rule, outcome}))
    return false;
  failure.is_silent = failure.is_counted = true;
  return true;
}

// Logs the decision. The log_failure hook of the behaviour replaces the usual line (179e), and so
// is not called for a failure that is only counted.
void log(Turn& turn, const Decision& decision, Failure& failure) {
  if (is_one_too_many(turn, decision, failure)) return;
  const auto hook = turn.table().log_failure;
  void* const instance = turn.cell().instance;
  const bool is_helper = decision.child.has(Cell::helper);
  if (hook == nullptr || instance == nullptr || is_helper) return turn.log().decided(decision);
  turn.sender = turn.environment().cells.ref_of(decision.child);
  const FailureView view = turn.view_of(decision.failure);
  const FailurePtr thrown = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    return hook(instance, context, view.c(),
                static_cast<actord_directive>(decision.verdict.directive), errors);
  });
  turn.clear_current();
  if (thrown) turn.log().hook_failed("actor.log_failure-failed", *thrown, Phase::decide);
}

// Writes the paths of the failure while the failed actor still has a path.
void write_paths(const ThreadState& thread, Failure& failure) {
  if (!failure.actor_path.empty()) return;
  failure.actor_path = thread.path(failure.actor);
  if (failure.message_sender != nobody)
    failure.message_sender_path = thread.path(failure.message_sender);
}

// Reports a configured child as lost if it is stopped because its creation or re-creation failed.
void report_if_lost(Turn& turn, const Cell& child, Failure& failure) {
  const bool is_lost = failure.types->is_initialization_failure && child.has(Cell::configured);
  if (!is_lost) return;
  write_paths(turn.thread(), failure);
  turn.extras().start_sequence.on_child_lost(turn, failure.actor_path, failure);
}

// Stops the child that failed, for `reason`; under all-for-one also its siblings, as collateral.
void stop(Turn& turn, const Strategy& strategy, Cell& failed, StopReason reason,
          const FailurePtr& failure) {
  if (strategy.kind != Strategy::Kind::all_for_one)
    return stop_child(turn, failed, reason, failure);
  for (Cell& child : children_of(turn)) {
    if (child.has(Cell::helper)) continue;
    const bool is_collateral = &child != &failed;
    stop_child(turn, child, is_collateral ? StopReason::parent : reason, failure, is_collateral);
  }
}

// The stop reason for a failure of these types.
StopReason reason_for(const TypeChain& types) {
  if (types.is_kill) return StopReason::killed;
  return types.is_initialization_failure ? StopReason::init_failed : StopReason::failed;
}

// Carries out the directive Stop. If the child is a guardian, the system shuts down.
void stop_as_decided(Turn& turn, const Decision& decision, Cell& child, const FailurePtr& failure) {
  log(turn, decision, *failure);
  report_if_lost(turn, child, *failure);
  if (turn.parent == nobody) {
    const Ref ref = turn.environment().cells.ref_of(child);
    turn.environment().guardian_failed(turn.thread().path(ref), *failure);
  }
  stop(turn, decision.strategy, child, reason_for(*failure->types), failure);
}

// The counts for a child, created when they are first needed.
ChildStats& stats_of(Cell& child) {
  if (child.stats == nullptr) child.stats = new ChildStats;
  return *child.stats;
}

// Charges the restart limit; false if the restart is denied. Under all-for-one each child is
// charged, in the order of creation, until one is denied (86).
bool charge(Turn& turn, const Strategy& strategy, Cell& failed) {
  const RestartLimit& restart_limit = strategy.restart_limit;
  const std::int64_t now = restart_limit.within_ns >= 0 ? turn.thread().now_ns() : 0;
  if (is_unlimited(restart_limit)) {
    ++stats_of(failed).unlimited_restarts;
    return true;
  }
  if (strategy.kind != Strategy::Kind::all_for_one)
    return request_restart(restart_limit, stats_of(failed).window, now);
  for (Cell& child : children_of(turn)) {
    if (child.has(Cell::helper)) continue;
    if (!request_restart(restart_limit, stats_of(child).window, now)) return false;
  }
  return true;
}

// The delay that the storm guard gives to a restart that the strategy neither limits nor delays, or
// to a creation after a Resume, which no strategy limits; 0: none. The mailbox takes as much as
// without the guard. The guard is on.
std::int64_t delay_by_guard(Turn& turn, const Strategy& strategy, const Verdict& verdict,
                            Cell& child, Failure& failure) {
  RestartStorms& storms = turn.environment().storms;
  const StormGuard guard = storms.guard();
  const Decision decision{strategy, verdict, child, failure};
  const bool is_group = decision.is_of_group();
  StormCount& count = is_group ? turn.extras().group_storm : stats_of(child).storm;
  const std::int64_t delay = storm_delay(guard, count, turn.thread().now_ns(), failure.lived_ns);
  if (delay == 0) return 0;
  failure.backoff_capacity = Failure::unlimited;
  const Ref subject = is_group ? turn.self : turn.environment().cells.ref_of(child);
  if (storms.prolong(subject, count.calm_at_ns)) return delay;
  const bool is_announced = storms.begin(
      {subject, turn.thread().path(subject), turn.path(), std::string{verdict.rule},
       origin_of(strategy, verdict, turn.cell().props->behaviour.name), count.calm_at_ns});
  if (is_announced) turn.log().storm_began(decision, guard);
  turn.environment().request_summary(turn.thread());
  return delay;
}

// The delay of the restart in ns, at least 1; 0 if there is none.
std::int64_t delay_of_restart(Turn& turn, const Strategy& strategy, const Verdict& verdict,
                              Cell& child, Failure& failure) {
  if (!strategy.backoff) {
    const bool is_endless = is_unlimited(strategy.restart_limit);
    const bool is_guarded = is_endless && turn.environment().storms.is_guarded();
    return is_guarded ? delay_by_guard(turn, strategy, verdict, child, failure) : 0;
  }
  const Backoff& backoff = *strategy.backoff;
  ChildStats& stats = stats_of(child);
  if (failure.lived_ns >= backoff.reset_after_ns) stats.delayed_restarts = 0;
  failure.backoff_capacity = backoff.capacity;
  const double unit = turn.thread().random.unit();
  return std::max<std::int64_t>(backoff_delay(backoff, stats.delayed_restarts++, unit), 1);
}

// The number of children that are restarted or stopped if one of them is.
std::uint64_t affected_by(const Turn& turn, const Strategy& strategy) {
  if (strategy.kind != Strategy::Kind::all_for_one) return 1;
  std::uint64_t n = 0;
  for (const Cell& child : children_of(turn)) {
    if (!child.has(Cell::helper)) ++n;
  }
  return n;
}

// Sends `recreate` to a child. A collateral child is suspended first, because it has not failed.
void send_restart(Turn& turn, Cell& child, FailurePtr failure, std::int64_t delay_ns,
                  bool is_collateral) {
  ACTORD_ASSERT(failure);
  const Ref ref = turn.environment().cells.ref_of(child);
  if (is_collateral) turn.thread().send_system(ref, SystemMessage::suspend());
  turn.thread().send_system(ref,
                            SystemMessage::recreate(std::move(failure), delay_ns, is_collateral));
}

// Carries out the directive Restart. If the restart limit denies the restart, the child is stopped.
void restart(Turn& turn, const Strategy& strategy, const Verdict& verdict, Cell& child,
             FailurePtr failure) {
  const bool is_allowed = failure->is_uncharged || charge(turn, strategy, child);
  const std::int64_t delay_ns =
      is_allowed ? delay_of_restart(turn, strategy, verdict, child, *failure) : 0;
  const Decision decision{
      strategy, verdict, child, *failure, delay_ns, !is_allowed, affected_by(turn, strategy)};
  log(turn, decision, *failure);
  if (!is_allowed) {
    turn.log().limit_reached(decision);
    report_if_lost(turn, child, *failure);
    return stop(turn, strategy, child, StopReason::limit, failure);
  }
  if (strategy.kind != Strategy::Kind::all_for_one)
    return send_restart(turn, child, std::move(failure), delay_ns, false);
  for (Cell& each : children_of(turn)) {
    if (!each.has(Cell::helper)) send_restart(turn, each, failure, delay_ns, &each != &child);
  }
}

// True if the actor that failed has no instance: its creation, or that of another incarnation, has
// failed.
bool is_of_creation(const Failure& failure) {
  return failure.phase == Phase::constructor || failure.phase == Phase::pre_start ||
         failure.phase == Phase::post_restart;
}

// Carries out the directive Resume. It creates an actor without an instance anew (46, 57), as a
// restart does, so the storm guard acts on it.
void resume(Turn& turn, Decision& decision, Cell& child, FailurePtr failure) {
  if (turn.environment().storms.is_guarded() && is_of_creation(*failure))
    decision.delay_ns = failure->creation_delay_ns =
        delay_by_guard(turn, decision.strategy, decision.verdict, child, *failure);
  log(turn, decision, *failure);
  const std::uint64_t id = failure->id;
  turn.thread().send_system(turn.environment().cells.ref_of(child),
                            SystemMessage::resume(std::move(failure), id));
}

// No strategy of the author concerns a helper.
[[gnu::noinline]] void stop_helper(Turn& turn, Cell& helper, const FailurePtr& failure) {
  static const Strategy of_helpers;
  const Verdict verdict{Directive::stop, "helper", {}, -1};
  const Decision decision{
      .strategy = of_helpers, .verdict = verdict, .child = helper, .failure = *failure};
  log(turn, decision, *failure);
  stop_child(turn, helper, reason_for(*failure->types), failure);
}

// Whether the instance of `child`, which reports the failure, has ended with its process, or has
// not the state that is stored.
bool is_of_no_use(const Turn& turn, const Cell& child, const Failure& failure) {
  const Ref top = failure.lost_up_to != nobody ? failure.lost_up_to : failure.actor;
  return (failure.is_instance_lost || failure.is_state_behind) &&
         turn.environment().cells.ref_of(child) == top;
}

// Carries out the verdict on the failure of `child`.
void apply(Turn& turn, const Strategy& strategy, const Verdict& verdict, Cell& child,
           FailurePtr failure) {
  Decision decision{.strategy = strategy,
                    .verdict = verdict,
                    .child = child,
                    .failure = *failure,
                    .affected = affected_by(turn, strategy)};
  switch (verdict.directive) {
    case Directive::resume:                       // the siblings were not suspended (85)
      if (is_of_no_use(turn, child, *failure)) {  // 181e, 183j
        turn.log().resume_became_restart(*failure, child);
        Verdict restarting = verdict;
        restarting.directive = Directive::restart;
        return restart(turn, strategy, restarting, child, std::move(failure));
      }
      return resume(turn, decision, child, std::move(failure));
    case Directive::restart: return restart(turn, strategy, verdict, child, std::move(failure));
    case Directive::stop: return stop_as_decided(turn, decision, child, failure);
    default:
      // a higher supervisor may decide after these actors are gone
      write_paths(turn.thread(), *failure);
      failure->escalations.push_back(
          {turn.path(), std::string{verdict.rule},
           origin_of(strategy, verdict, turn.cell().props->behaviour.name)});
      return Recovery::escalate(turn, std::move(failure), turn.environment().cells.ref_of(child));
  }
}

}  // namespace

const Strategy& strategy(const Turn& turn) { return turn.cell().props->strategy_of_children(); }

void on_failed(Turn& turn, Ref ref, FailurePtr failure) {
  ACTORD_ASSERT(failure);
  Cell* const child = find_child(turn, ref);
  if (child == nullptr) {
    return turn.log().debug("supervisor.failure-dropped",
                            "dropping the failure of an unknown or former child", ref);
  }
  if (failure->is_instance_lost && Instance::is_lost(turn)) {  // 181g
    write_paths(turn.thread(), *failure);
    failure->lost_up_to = turn.self;
    failure->escalations.push_back({turn.path(), "the supervisor was in the same process", {}});
    return Recovery::escalate(turn, std::move(failure), ref);
  }
  if (child->has(Cell::helper)) [[unlikely]]
    return stop_helper(turn, *child, failure);
  const Strategy& judged_by = strategy(turn);
  Verdict verdict;
  if (FailurePtr own_failure = decide(turn, ref, *failure, judged_by, verdict)) {
    write_paths(turn.thread(), *failure);
    const std::uint64_t judged_id = failure->id;
    own_failure->judged = std::move(failure);
    return Recovery::fail(turn, std::move(own_failure), Phase::decide, {ref, judged_id});  // 9
  }
  failure->is_silent |= !judged_by.is_logging;
  apply(turn, judged_by, verdict, *child, std::move(failure));
  // An actor that escalates waits for its own verdict and starts no child until then.
  CellExtras* const extras = turn.find_extras();
  if (verdict.directive == Directive::escalate || extras == nullptr) return;
  if (extras->start_sequence.awaits(ref)) extras->start_sequence.start_next(turn);
}

}  // namespace actord::actor::supervisor
