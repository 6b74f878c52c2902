// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

namespace lab {

namespace {

using actord::Directive;
using actord::Level;

struct Trial {
  std::size_t supervisor;  // index of supervisors_
  Trouble trouble;
  Directive foreseen;
};
// A trial uses the child of the trial before, if the child is still there and has the same
// supervisor.
constexpr Trial trials[] = {{0, Trouble::arithmetic, Directive::resume},
                            {0, Trouble::null_reference, Directive::restart},
                            {0, Trouble::bad_argument, Directive::stop},
                            {0, Trouble::other, Directive::escalate},
                            {1, Trouble::other, Directive::escalate}};

std::string_view name_of(Directive directive) {
  switch (directive) {
    case Directive::resume: return "resume";
    case Directive::restart: return "restart";
    case Directive::stop: return "stop";
    case Directive::escalate: return "escalate";
    case Directive::undecided: break;
  }
  return "undecided";
}

std::string_view name_of(Trouble trouble) {
  for (const auto& known : actord::detail::enumerators<Trouble>) {
    if (known.value == trouble) return known.name;
  }
  return "?";
}

}  // namespace

Experiment::Experiment(actord::Context& ctx, const Config& config)
    : config_(config),
      supervisors_{ctx.spawn<Supervisor>("supervisor"),
                   ctx.spawn<KeepingSupervisor>("keeping-supervisor")} {}

void Experiment::pre_start(actord::Context& ctx) { begin_trial(ctx); }

void Experiment::begin_trial(actord::Context& ctx) {
  const Trial& trial = trials[trial_];
  before_ = after_ = {};
  is_fail_sent_ = has_ended_ = false;
  if (trial_ != 0 && trials[trial_ - 1].supervisor != trial.supervisor) child_ = {};
  if (child_) return ask_for_state(ctx);
  ctx.tell(supervisors_[trial.supervisor], NewChild{"child-" + std::to_string(trial_ + 1)});
}

void Experiment::born(actord::Context& ctx, const ChildBorn& message) {
  child_ = message.child;
  ctx.watch(child_);
  ask_for_state(ctx);
}

void Experiment::ask_for_state(actord::Context& ctx) {
  ctx.tell(child_, Set{config_.value});
  ctx.tell(child_, Get{});
  ctx.tell(supervisors_[trials[trial_].supervisor], Get{});
}

void Experiment::value_received(actord::Context& ctx, const Value& message) {
  Seen& seen = is_fail_sent_ ? after_ : before_;
  (ctx.sender() == child_ ? seen.child : seen.supervisor) = message;
  if (!is_fail_sent_) {
    if (before_.child && before_.supervisor) make_child_fail(ctx);
  } else if (after_.supervisor) {
    finish_trial(ctx);
  } else {
    ctx.tell(supervisors_[trials[trial_].supervisor], Get{});
  }
}

// Sends a question after the message that makes the child fail. If the child survives, it answers.
// If not, the question becomes a dead letter, and a Terminated comes.
void Experiment::make_child_fail(actord::Context& ctx) {
  is_fail_sent_ = true;
  ctx.tell(child_, Fail{trials[trial_].trouble});
  ctx.tell(child_, Get{});
}

void Experiment::ended(actord::Context& ctx, const actord::Terminated& message) {
  if (message.who != child_) return;  // the child of an earlier trial
  has_ended_ = true;
  ctx.tell(supervisors_[trials[trial_].supervisor], Get{});
}

// The directive, concluded from which instances exist after the failure.
Directive Experiment::observed() const {
  if (after_.supervisor->instance != before_.supervisor->instance) return Directive::escalate;
  if (has_ended_) return Directive::stop;
  return after_.child->instance == before_.child->instance ? Directive::resume : Directive::restart;
}

void Experiment::finish_trial(actord::Context& ctx) {
  const Trial& trial = trials[trial_];
  const Directive directive = observed();
  const bool is_foreseen = directive == trial.foreseen;
  const std::string supervisor = ctx.path(supervisors_[trial.supervisor]);
  constexpr std::string_view text = "result of one trial";
  if (has_ended_) {
    ctx.event(Level::info, "lab.observed", text,
              {{"trial", trial_ + 1},
               {"trouble", name_of(trial.trouble)},
               {"directive", name_of(directive)},
               {"as_foreseen", is_foreseen},
               {"judge", supervisor},
               {"child", child_},
               {"value_before", before_.child->value},
               {"same_ref", false},
               {"children_left", after_.supervisor->value}});
    child_ = {};
  } else {
    ctx.event(Level::info, "lab.observed", text,
              {{"trial", trial_ + 1},
               {"trouble", name_of(trial.trouble)},
               {"directive", name_of(directive)},
               {"as_foreseen", is_foreseen},
               {"judge", supervisor},
               {"child", child_},
               {"value_before", before_.child->value},
               {"value_after", after_.child->value},
               {"same_ref", true},
               {"same_instance", before_.child->instance == after_.child->instance},
               {"children_left", after_.supervisor->value}});
  }
  as_foreseen_ += is_foreseen ? 1 : 0;
  if (++trial_ < std::size(trials)) return begin_trial(ctx);
  ctx.event(Level::info, "lab.finished", "all trials are complete",
            {{"trials", trial_}, {"as_foreseen", as_foreseen_}});
}

}  // namespace lab
