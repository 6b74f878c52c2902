// SPDX-License-Identifier: Apache-2.0
//
// The supervisor's half of a failure: ask the strategy, charge the budget, tell the children, log
// once. The decisions themselves are pure and stand in supervision.hpp.
#include <optional>

#include "actor/activation.hpp"

namespace actord::actor {

// The operator's strategy for this path, else the one in the code, else the default. Read at each
// failure, so that a strategy replaced meanwhile holds from the next one on (supervision.md 11).
const Strategy& Activation::strategy() const {
  if (cell_.props->strategy != nullptr) return *cell_.props->strategy;
  if (cell_.props->own_strategy) return *cell_.props->own_strategy;
  const Behaviour& behaviour = cell_.props->behaviour;
  return behaviour.strategy ? *behaviour.strategy : default_strategy();
}

void Activation::on_failed(Ref ref, FailurePtr failure) {
  Cell* const child = child_of(ref);
  if (child == nullptr) {  // supervision.md 19
    return log_debug("supervisor.failure-dropped",
                     "dropping the failure of an unknown or former child", ref);
  }
  const Strategy& judged_by = strategy();
  Verdict verdict;
  if (!ask_code(ref, *failure, judged_by, verdict)) return;
  failure->is_silent |= !judged_by.is_logging;
  apply(judged_by, verdict, *child, std::move(failure));
  // Who escalates waits for its own judge and starts nobody meanwhile.
  if (verdict.directive == Directive::escalate || cell_.organs == nullptr) return;
  if (cell_.organs->roster.awaited == ref) start_next_of_roster();
}

// False: the decider itself failed, which is this supervisor's own failure (supervision.md 9).
bool Activation::ask_code(Ref child, const Failure& failure, const Strategy& strategy,
                          Verdict& verdict) {
  std::optional<FailureView> made;
  const auto view = [&]() -> const FailureView& { return made ? *made : made.emplace(failure); };
  FailurePtr own_failure;
  actord_directive answer = ACTORD_UNDECIDED;
  const auto ask_behaviour = [&] {
    const auto hook = table().decide;
    if (hook == nullptr || cell_.instance == nullptr) return;
    sender = child;  // supervision.md 10
    own_failure = enter([&](actord_context* context, actord_errors* errors) {
      return hook(cell_.instance, context, view().c(), &answer, errors);
    });
    take_back();
  };
  if (strategy.decide != nullptr) {
    own_failure = enter([&](actord_context*, actord_errors* errors) {
      return strategy.decide(view().c(), &answer, errors);
    });
  } else if (strategy.asks_code_first) {
    ask_behaviour();
  }
  if (!own_failure && answer == ACTORD_UNDECIDED) {
    verdict = judge(strategy, failure);
    if (verdict.directive == Directive::undecided) {
      ask_behaviour();
      verdict.directive =
          answer != ACTORD_UNDECIDED ? static_cast<Directive>(answer) : default_decider(failure);
      verdict.rule = "code";
    }
  } else if (!own_failure) {
    verdict = {static_cast<Directive>(answer), "code", {}, -1};
  }
  if (!own_failure && table().review != nullptr && cell_.instance != nullptr)
    own_failure = review(child, view(), verdict);
  if (own_failure) {
    fail(std::move(own_failure), Phase::decide, child);
    return false;
  }
  if (verdict.directive < Directive::resume || verdict.directive > Directive::escalate)
    verdict.directive = Directive::escalate;
  return true;
}

// The behaviour's last word on what its code and its rules have said.
FailurePtr Activation::review(Ref child, const FailureView& failure, Verdict& verdict) {
  auto answer = static_cast<actord_directive>(verdict.directive);
  sender = child;
  FailurePtr own_failure = enter([&](actord_context* context, actord_errors* errors) {
    return table().review(cell_.instance, context, failure.c(), &answer, errors);
  });
  take_back();
  if (answer != static_cast<actord_directive>(verdict.directive))
    verdict = {static_cast<Directive>(answer), "review", {}, -1};
  return own_failure;
}

void Activation::apply(const Strategy& judged_by, const Verdict& verdict, Cell& child,
                       FailurePtr failure) {
  const bool is_for_all = judged_by.kind == Strategy::Kind::all_for_one;
  switch (verdict.directive) {
    case Directive::resume: {  // the others have not been touched (supervision.md 85)
      log_verdict(judged_by, verdict, child, *failure, 0, false);
      SystemBody body;
      body.failure = failure.release();
      return local_.order(ref_of(child), Order::resume, body);
    }
    case Directive::restart: return restart(judged_by, verdict, child, std::move(failure));
    case Directive::stop: {
      log_verdict(judged_by, verdict, child, *failure, 0, false);
      const bool is_creation = failure->types->is_initialization_failure;
      if (is_creation && (child.child_flags & Cell::configured) != 0) {
        write_paths(*failure);
        lose_configured_child(failure->actor_path, *failure);
      }
      if (parent == nobody) environment_.guardian_failed(local_.path(ref_of(child)), *failure);
      const StopReason reason = failure->types->is_kill ? StopReason::killed
                                : is_creation           ? StopReason::init_failed
                                                        : StopReason::failed;
      for (Cell* each = is_for_all ? first_child() : &child; each != nullptr;) {
        Cell* const next = is_for_all ? at(each->next_sibling) : nullptr;
        if (each == &child) stop_child(*each, reason, failure, false);
        else stop_child(*each, StopReason::parent, failure, true);
        each = next;
      }
      return;
    }
    default: return escalate(child, std::move(failure));
  }
}

void Activation::restart(const Strategy& judged_by, const Verdict& verdict, Cell& child,
                         FailurePtr failure) {
  const bool is_for_all = judged_by.kind == Strategy::Kind::all_for_one;
  const bool needs_stats =
      judged_by.budget.max_restarts > 0 || judged_by.budget.within_ns >= 0 || judged_by.backoff;
  const std::int64_t now = judged_by.budget.within_ns >= 0 ? local_.now_ns() : 0;
  ChildStats none;
  const auto stats_of = [&](Cell& each) -> ChildStats& {
    if (!needs_stats) return none;
    if (each.stats == nullptr) each.stats = new ChildStats;
    return *each.stats;
  };
  bool is_allowed =
      true;  // all for one: every child is charged, in their order, until one is denied (86)
  if (is_for_all) {
    for (Cell* each = first_child(); each != nullptr && is_allowed; each = at(each->next_sibling)) {
      is_allowed = request_restart(judged_by.budget, stats_of(*each), now);
    }
  } else {
    is_allowed = request_restart(judged_by.budget, stats_of(child), now);
  }
  std::int64_t delay = 0;
  if (is_allowed && judged_by.backoff) {
    const Backoff& backoff = *judged_by.backoff;
    ChildStats& stats = stats_of(child);
    if (failure->lived_ns >= backoff.reset_after_ns) stats.delayed_restarts = 0;
    delay = std::max<std::int64_t>(
        backoff_delay(backoff, stats.delayed_restarts++, local_.random.unit()), 1);
    failure->backoff_capacity = backoff.capacity;
  }
  log_verdict(judged_by, verdict, child, *failure, delay, !is_allowed);
  if (!is_allowed) {
    log_limit(child, judged_by, *failure);
    if ((child.child_flags & Cell::configured) != 0 && failure->types->is_initialization_failure) {
      write_paths(*failure);
      lose_configured_child(failure->actor_path, *failure);
    }
  }
  if (is_allowed && !is_for_all) {
    SystemBody body;
    body.failure = failure.release();
    body.number = delay;
    return local_.order(ref_of(child), Order::recreate, body);
  }
  for (Cell* each = is_for_all ? first_child() : &child; each != nullptr;) {
    Cell* const next = is_for_all ? at(each->next_sibling) : nullptr;
    const bool is_collateral = each != &child;
    if (!is_allowed) {
      stop_child(*each, is_collateral ? StopReason::parent : StopReason::limit, failure,
                 is_collateral);
    } else {
      if (is_collateral) local_.order(ref_of(*each), Order::suspend);
      SystemBody body;
      body.failure = FailurePtr(failure).release();
      body.number = delay;
      body.flags = is_collateral ? SystemBody::collateral : 0;
      local_.order(ref_of(*each), Order::recreate, body);
    }
    each = next;
  }
}

// While the actor that failed is still there.
void Activation::write_paths(Failure& failure) const {
  if (!failure.actor_path.empty()) return;
  failure.actor_path = local_.path(failure.actor);
  if (failure.message_sender != nobody)
    failure.message_sender_path = local_.path(failure.message_sender);
}

// The same failure becomes ours: our own parent decides, and the child waits for us (supervision.md
// 4, 14).
void Activation::escalate(Cell& child, FailurePtr failure) {
  write_paths(*failure);  // who sees it next may see its actors no more
  failure->escalated.push_back(path());
  failure->lived_ns = lived_ns();
  suspend_and_report(std::move(failure), ref_of(child), {}, false);
}

}  // namespace actord::actor
