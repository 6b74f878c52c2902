// SPDX-License-Identifier: Apache-2.0
//
// What a failure does to the one who failed: report and wait, then resume, restart or create anew
// as the supervisor says (supervision.md B and C). The supervisor's half stands in judge.cpp.
//
// The order of a restart: suspended with all descendants; pre_restart; the old instance destroyed;
// children that it stopped awaited; a delay if there is one; constructor, post_restart; surviving
// children restarted; mail resumed.
#include <algorithm>

#include "actor/activation.hpp"

namespace actord::actor {

// ---- failing ------------------------------------------------------------------------------------

void Activation::fail(FailurePtr failure, Phase phase, Ref perpetrator) {
  try {
    note_story(*failure, phase);
    suspend_and_report(std::move(failure), perpetrator != nobody ? perpetrator : self, {}, false);
  } catch (const std::bad_alloc&) {
    emergency_stop();
  }
}

void Activation::note_story(Failure& failure, Phase phase) {
  failure.id = local_.next_failure_id();
  failure.phase = phase;
  failure.actor = self;
  failure.behaviour = &cell_.props->behaviour;
  failure.incarnation = cell_.incarnation;
  failure.message_type = message_type;
  if (message_type != 0) failure.message_sender = sender;
  failure.lived_ns = lived_ns();
}

// Of the incarnation, noted from the first delayed restart on; before, -1.
std::int64_t Activation::lived_ns() const {
  if (cell_.organs == nullptr || cell_.organs->alive_since_ns == 0) return -1;
  return local_.now_ns() - cell_.organs->alive_since_ns;
}

// Once per episode: a second failure while failed is not reported (supervision.md 14, 58, 65).
void Activation::suspend_and_report(FailurePtr failure, Ref perpetrator,
                                    std::span<const Ref> not_to_suspend, bool is_fatal) {
  if (cell_.is_failed()) return;
  Episode& episode = organs().episode;
  ++cell_.suspensions;
  cell_.fail_state = is_fatal ? Cell::failed_fatally : Cell::failed;
  episode.perpetrator = perpetrator;
  if (current_ != nullptr && !is_kept_) episode.message = keep_current();
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    const Ref ref = ref_of(*child);
    if (ref != perpetrator && std::ranges::find(not_to_suspend, ref) == not_to_suspend.end()) {
      local_.order(ref, Order::suspend);
    }
  }
  if (parent == nobody) return environment_.root_failed(failure);
  SystemBody body;
  body.subject = self;
  body.failure = failure.release();
  local_.order(parent, Order::failed, body);
}

// The failing message has been readable until here; now it is gone for good.
void Activation::end_episode() {
  cell_.fail_state = Cell::healthy;
  if (cell_.organs == nullptr) return;
  Episode& episode = cell_.organs->episode;
  episode.perpetrator = nobody;
  if (episode.message != nullptr) local_.discard(std::exchange(episode.message, nullptr));
}

// ---- suspend, resume ----------------------------------------------------------------------------

void Activation::on_suspend() {
  ++cell_.suspensions;
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    local_.order(ref_of(*child), Order::suspend);
  }
}

// With a failure: the answer to ours. Without: we go along with our parent, and if we have failed
// ourselves our own verdict is still to come.
void Activation::on_resume(FailurePtr failure) {
  const bool is_unborn = cell_.instance == nullptr && cell_.fail_state != Cell::failed_fatally;
  if (is_unborn && failure &&
      cell_.stage == Stage::running) {  // nothing to resume (supervision.md 46)
    return begin_recreation(Stage::creating, std::move(failure), 0, false);
  }
  if (cell_.fail_state == Cell::failed_fatally && failure) {  // supervision.md 57
    local_.log.emit(
        log::Level::error, "supervisor.resume-became-restart",
        "an actor whose restart failed cannot be resumed: it is restarted",
        {{"actor.path", path()}, {"failure.id", environment_.failure_id_text(failure->id)}});
    return on_recreate(std::move(failure), 0, false);
  }
  const Ref perpetrator = cell_.organs != nullptr ? cell_.organs->episode.perpetrator : nobody;
  if (cell_.suspensions != 0) --cell_.suspensions;
  if (failure) {
    log_resumed(*failure);
    end_episode();
  }
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    SystemBody body;
    const Ref ref = ref_of(*child);
    if (failure && ref == perpetrator)
      body.failure = FailurePtr(failure).release();  // supervision.md 15
    local_.order(ref, Order::resume, body);
  }
  if (cell_.organs != nullptr) resume_roster();
}

// ---- restart ------------------------------------------------------------------------------------

void Activation::on_recreate(FailurePtr cause, std::int64_t delay_ns, bool is_collateral) {
  if (cell_.stage != Stage::running)
    return on_resume({});  // going down: only keep the count (supervision.md 40)
  const bool is_fatal = cell_.fail_state == Cell::failed_fatally;
  if (cell_.instance == nullptr && !is_fatal) {
    return begin_recreation(Stage::creating, std::move(cause), delay_ns, is_collateral);
  }
  log_lifecycle("restarting");
  if (is_fatal) stop_children_of_failed_attempt();
  else run_pre_restart(cause, is_collateral);
  begin_recreation(Stage::recreating, std::move(cause), delay_ns, is_collateral);
}

void Activation::run_pre_restart(const FailurePtr& cause, bool is_collateral) {
  void_incarnation();
  Episode& episode = organs().episode;
  // The message belongs to one's own failure only (supervision.md 26, 27).
  if (episode.message != nullptr && !is_collateral) {
    lend(episode.message);
    is_kept_ = true;
  }
  FailurePtr failure;
  if (const actord_restart_hook hook = table().pre_restart) {
    failure = call_restart_hook(hook, *cause);
  } else {
    stop_children();
    failure = call_hook(table().post_stop);
  }
  if (failure) {  // best effort: the restart goes on, without the children (supervision.md 51, 52)
    log_hook_failure("actor.pre_restart-failed", *failure, Phase::pre_restart, cause.get());
    stop_children();
  }
  take_back();
  cell_.owner_flags |= Cell::post_stop_done;
  unstash_all();
  destroy_instance();
}

// From here to the new instance the stage says what is waited for; orders that must wait are
// parked.
void Activation::begin_recreation(Stage waiting, FailurePtr cause, std::int64_t delay_ns,
                                  bool is_collateral) {
  Episode& episode = organs().episode;
  void_incarnation();  // what pre_restart began, or an attempt that failed
  if (waiting == Stage::creating) stop_children();  // supervision.md 48
  organs().roster = {};                             // it begins anew
  cell_.stage = waiting;
  episode.cause = std::move(cause);
  episode.delay_ns = delay_ns;
  episode.is_collateral = is_collateral;
  recreate_when_ready();
}

void Activation::recreate_when_ready() {
  if (dying() != 0) return;
  if (organs().episode.delay_ns > 0) return start_backoff();
  if (cell_.stage == Stage::creating) finish_creation();
  else finish_recreation();
}

void Activation::start_backoff() {
  Episode& episode = organs().episode;
  const std::int64_t delay = std::min(std::exchange(episode.delay_ns, 0), sched::longest_delay_ns);
  log_backoff(*episode.cause, delay);
  episode.backoff_token = next_token(token::Kind::backoff);
  // The stage to come back to is told by whether a first creation succeeded, see on_backoff_over().
  cell_.stage = Stage::backing_off;
  if ((cell_.sender_flags.load(base::relaxed) & Cell::bounded) == 0) {
    const auto& backoff = episode.cause->backoff_capacity;
    cell_.room.store(static_cast<std::int32_t>(std::min<std::int64_t>(backoff, INT32_MAX)),
                     base::relaxed);
    cell_.sender_flags.store(Cell::backing_off, base::release);
  }
  episode.backoff_timer = local_.timer_at(local_.now_ns() + delay, self, episode.backoff_token);
}

void Activation::on_backoff_over(std::uint64_t token) {
  if (cell_.stage != Stage::backing_off || organs().episode.backoff_token != token) return;
  if ((cell_.sender_flags.load(base::relaxed) & Cell::bounded) == 0)
    cell_.sender_flags.store(0, base::relaxed);
  organs().alive_since_ns = local_.now_ns();
  const bool was_ever_started = cell_.has(Cell::was_started);
  cell_.stage = was_ever_started ? Stage::recreating : Stage::creating;
  recreate_when_ready();
}

// supervision.md 45, 46: a creation like the first one, without restart hooks.
void Activation::finish_creation() {
  organs().episode.cause = {};
  --cell_.suspensions;
  end_episode();
  create();
}

void Activation::finish_recreation() {
  Episode& episode = organs().episode;
  const FailurePtr cause = std::move(episode.cause);
  const bool is_collateral = episode.is_collateral;
  const std::vector<Ref> survivors = living_children();  // before the new instance adds its own
  --cell_.suspensions;
  end_episode();
  cell_.stage = Stage::running;
  ++cell_.incarnation;
  Phase phase = Phase::constructor;
  FailurePtr failure = construct();
  if (!failure) {
    phase = Phase::post_restart;
    failure = table().post_restart != nullptr ? call_restart_hook(table().post_restart, *cause)
                                              : call_hook(table().pre_start);
  }
  if (failure) {
    fail_recreation(std::move(failure), phase, cause, survivors);
    organs().episode.take_over = {};
    return;
  }
  log_restarted(*cause, is_collateral);
  log_lifecycle("restarted");
  tell_of_life(LifeStep::restarted, cause->root_cause().types->type());
  for (const Ref survivor : survivors) {  // supervision.md 33
    SystemBody body;
    body.failure = FailurePtr(cause).release();
    body.flags = SystemBody::collateral;
    local_.order(survivor, Order::recreate, body);
  }
  start_roster();
  organs().episode.take_over = {};
}

// supervision.md 53-58: fatal, until a later attempt succeeds.
void Activation::fail_recreation(FailurePtr failure, Phase phase, const FailurePtr& cause,
                                 const std::vector<Ref>& survivors) {
  destroy_instance();
  FailurePtr wrapped = builtin_failure(causes::post_restart, failure->what.view(), failure);
  wrapped->is_foreign = failure->is_foreign;
  wrapped->follows = cause->id;
  wrapped->original = cause->original ? cause->original : cause;
  wrapped->backoff_capacity = cause->backoff_capacity;
  note_story(*wrapped, phase);
  // Survivors are the older ones: what comes behind the last of them is this attempt's.
  const Cell* const last = survivors.empty() ? nullptr : child_of(survivors.back());
  Cell* child = last != nullptr ? at(last->next_sibling) : first_child();
  for (; child != nullptr; child = at(child->next_sibling))
    child->child_flags |= Cell::of_failed_attempt;
  suspend_and_report(std::move(wrapped), self, survivors, true);
}

// As those of a failed creation are (supervision.md 48): the next attempt makes its own, by the
// same names.
void Activation::stop_children_of_failed_attempt() {
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    if ((child->child_flags & Cell::of_failed_attempt) == 0) continue;
    unwatch(ref_of(*child));
    stop_child(*child, StopReason::parent, {}, false);
  }
}

}  // namespace actord::actor
