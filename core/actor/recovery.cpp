// SPDX-License-Identifier: Apache-2.0
#include "actor/recovery.hpp"

#include <algorithm>

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"
#include "actor/replies.hpp"
#include "actor/token.hpp"

namespace actord::actor {

// ---- failing ------------------------------------------------------------------------------------

void Recovery::fail(Turn& turn, FailurePtr failure, Phase phase, Perpetrator perpetrator) {
  try {
    record_circumstances(turn, *failure, phase);
    if (perpetrator.ref == nobody) perpetrator = {turn.self, failure->id};
    suspend_and_report(turn, std::move(failure), perpetrator, {}, false);
  } catch (const std::bad_alloc&) {
    emergency_stop(turn);
  }
}

void Recovery::on_instance_lost(Turn& turn, FailurePtr failure, std::uint64_t incarnation) {
  const Lifecycle& life = turn.cell().life;
  const bool is_it = life.stage() == Stage::running && life.incarnation() == incarnation &&
                     !life.is_failed();  // else the verdict on that restarts or stops it
  if (!is_it || !Instance::is_lost(turn)) return;
  const Cell& cell = turn.cell();
  cell.props->behaviour.remoting->note_loss(cell.instance, &turn, *failure);
  fail(turn, std::move(failure), Phase::crash);
}

void Recovery::escalate(Turn& turn, FailurePtr failure, Ref child) {
  failure->lived_ns = Instance::lived_ns(turn);
  const Perpetrator perpetrator{child, failure->id};
  suspend_and_report(turn, std::move(failure), perpetrator, {}, false);
}

void Recovery::record_circumstances(Turn& turn, Failure& failure, Phase phase) {
  if (turn.cell().is_counted) ++turn.environment().counts.row_of(turn.cell()).failures;
  failure.id = turn.environment().next_failure_id();
  failure.phase = phase;
  failure.actor = turn.self;
  failure.behaviour = &turn.cell().props->behaviour;
  failure.incarnation = turn.cell().life.incarnation();
  failure.message_type = turn.message_type;
  if (turn.message_type != 0) failure.message_sender = turn.sending_actor();
  if (turn.thread().is_carrying()) failure.trace = turn.thread().carried();
  failure.lived_ns = Instance::lived_ns(turn);
}

void Recovery::suspend_and_report(Turn& turn, FailurePtr failure, const Perpetrator& perpetrator,
                                  std::span<const Ref> not_to_suspend, bool is_fatal) {
  Lifecycle& life = turn.cell().life;
  if (life.is_failed()) return;
  ThreadState& thread = turn.thread();
  Recovery& episode = turn.extras().recovery;
  life.suspend();
  life.fail(is_fatal);
  episode.perpetrator_ = perpetrator;
  episode.failure_id_ = failure->id;
  ACTORD_ASSERT(episode.message_ == nullptr);  // the previous episode has ended
  if (turn.current() != nullptr) {
    const bool is_stashed = turn.is_kept();
    if (!is_stashed) episode.message_ = turn.keep_current();
    Redelivery::note_failure(turn, failure, is_stashed);
    if (!is_stashed && episode.message_->has(Envelope::ask)) [[unlikely]]
      episode.note_question(turn, failure);
  }
  for (Cell& child : children_of(turn)) {
    const Ref ref = turn.environment().cells.ref_of(child);
    if (ref != perpetrator.ref && std::ranges::find(not_to_suspend, ref) == not_to_suspend.end())
      thread.send_system(ref, SystemMessage::suspend());
  }
  if (turn.parent == nobody) return turn.environment().root_failed(failure);
  thread.send_system(turn.parent, SystemMessage::failed(turn.self, std::move(failure)));
}

void Recovery::emergency_stop(Turn& turn) noexcept {
  turn.log().emergency_stop();
  turn.cell().life.doom();
  if (CellExtras* const extras = turn.find_extras()) {
    extras->recovery.pending_ack_.fail();
    extras->start_sequence.fail_pending_ack();
  }
  turn.thread().send_system(turn.self, SystemMessage::terminate(StopReason::failed));
}

void Recovery::end_episode(Turn& turn) {
  turn.cell().life.heal();
  CellExtras* const extras = turn.find_extras();
  if (extras == nullptr) return;
  Recovery& episode = extras->recovery;
  episode.perpetrator_ = {};
  episode.failure_id_ = 0;
  episode.fail_question(turn);
  Envelope* const failed = std::exchange(episode.message_, nullptr);
  if (episode.owes_credit_) [[unlikely]]
    pay_credit(turn, failed);
  if (failed == nullptr) return;
  const auto& redelivery = extras->redelivery;
  if (redelivery != nullptr && redelivery->wants_failed()) redelivery->put_back(turn, failed);
  else turn.thread().discard(failed);
}

void Recovery::note_question(Turn& turn, const FailurePtr& failure) {
  turn.note_if_taken(*message_);
  const CellExtras& extras = turn.extras();
  const bool comes_again = extras.redelivery != nullptr && extras.redelivery->wants_failed();
  if (!comes_again && fails_with_handler(turn, *message_)) answer_ = failure;
}

void Recovery::fail_question(Turn& turn) noexcept {
  if (answer_) actor::fail_question(turn, *message_, std::exchange(answer_, {}));
}

// A message that comes again is handled when that is.
[[gnu::noinline]] void Recovery::pay_credit(Turn& turn, Envelope* failed) {
  CellExtras& extras = turn.extras();
  extras.recovery.owes_credit_ = false;
  const bool comes_again =
      failed != nullptr && extras.redelivery != nullptr && extras.redelivery->wants_failed();
  if (comes_again) failed->type_and_flags |= Envelope::credited;
  else turn.thread().send_system(turn.parent, SystemMessage::handled(turn.self));
}

// ---- suspend, resume ----------------------------------------------------------------------------

void Recovery::suspend(Turn& turn) {
  turn.cell().life.suspend();
  for (const Cell& child : children_of(turn))
    turn.thread().send_system(turn.environment().cells.ref_of(child), SystemMessage::suspend());
}

void Recovery::resume(Turn& turn, FailurePtr failure, std::uint64_t judged_id) {
  Cell& cell = turn.cell();
  Lifecycle& life = cell.life;
  const std::int64_t delay_ns = failure ? failure->creation_delay_ns : 0;
  CellExtras* const extras = turn.find_extras();
  // If the actor has been restarted since that failure, by a reload or for a sibling, the verdict
  // only takes back the suspension. A later failure waits for its own verdict.
  if (failure && (extras == nullptr || extras->recovery.failure_id_ != judged_id)) failure = {};
  const bool is_unborn = cell.instance == nullptr && !life.is_failed_fatally();
  if (is_unborn && failure && life.stage() == Stage::running) {  // there is nothing to resume (46)
    return begin_recreation(turn, Stage::creating, std::move(failure), delay_ns, false);
  }
  const bool is_behind = failure && failure->is_state_behind && failure->actor == turn.self;
  if (failure && (life.is_failed_fatally() || Instance::is_lost(turn) || is_behind)) {
    // 57, 181e, 183j
    turn.log().resume_became_restart(*failure, turn.cell());
    return recreate(turn, std::move(failure), delay_ns, false);
  }
  const Perpetrator perpetrator = extras != nullptr ? extras->recovery.perpetrator_ : Perpetrator{};
  life.resume();
  if (failure) {
    turn.log().resumed(*failure);
    end_episode(turn);
  }
  for (const Cell& child : children_of(turn)) {
    const Ref ref = turn.environment().cells.ref_of(child);
    const bool has_failed = failure && ref == perpetrator.ref;  // 15
    turn.thread().send_system(ref, has_failed
                                       ? SystemMessage::resume(failure, perpetrator.failure_id)
                                       : SystemMessage::resume());
  }
  if (extras != nullptr) extras->start_sequence.unblock(turn);
}

FailurePtr Recovery::operator_cause(Turn& turn, std::span<const actord_str> types,
                                    std::string_view what) {
  FailurePtr cause = turn.builtin_failure(types, what);
  cause->phase = Phase::pre_restart;
  cause->actor = turn.self;
  cause->behaviour = &turn.cell().props->behaviour;
  cause->incarnation = turn.cell().life.incarnation();
  return cause;
}

bool Recovery::hold(Turn& turn) {
  if (std::exchange(turn.extras().recovery.is_held_, true)) return false;
  suspend(turn);
  return true;
}

bool Recovery::release(Turn& turn) {
  if (!std::exchange(turn.extras().recovery.is_held_, false)) return false;
  resume(turn, {});
  return true;
}

// ---- restart ------------------------------------------------------------------------------------

void Recovery::recreate(Turn& turn, FailurePtr cause, std::int64_t delay_ns, bool is_collateral) {
  Cell& cell = turn.cell();
  if (cell.life.stage() != Stage::running) {
    // While the actor waits for its next incarnation, `recreate` is deferred and does not get here.
    // A terminating actor only keeps the suspensions balanced, its own and its children's (40).
    ACTORD_ASSERT(cell.life.stage() == Stage::terminating);
    return resume(turn, {});
  }
  const bool is_fatal = cell.life.is_failed_fatally();
  if (cell.instance == nullptr && !is_fatal)
    return begin_recreation(turn, Stage::creating, std::move(cause), delay_ns, is_collateral);
  turn.log_lifecycle("restarting");
  if (is_fatal) stop_children_of_failed_attempt(turn, cause);
  else run_pre_restart(turn, cause, is_collateral);
  begin_recreation(turn, Stage::recreating, std::move(cause), delay_ns, is_collateral);
}

void Recovery::restart_by_operator(Turn& turn, FailurePtr cause, PendingAck pending_ack) {
  turn.extras().recovery.pending_ack_ = std::move(pending_ack);
  suspend(turn);
  recreate(turn, std::move(cause), 0, true);
}

void Recovery::run_pre_restart(Turn& turn, const FailurePtr& cause, bool is_collateral) {
  Instance::end_incarnation(turn);
  if (turn.cell().children != nullptr) stop_helpers(turn);
  CellExtras& extras = turn.extras();
  const ChildrenStopFor scope(extras, cause);
  // pre_restart sees the failed message only if the failure is the actor's own (26, 27).
  Envelope* const message = extras.recovery.message_;
  if (message != nullptr && !is_collateral) turn.set_current_kept(message);
  FailurePtr failure;
  if (const actord_restart_hook hook = turn.table().pre_restart) {
    failure = turn.call_restart_hook(hook, *cause);
  } else {
    stop_children(turn);
    failure = turn.call_hook(turn.table().post_stop);
  }
  if (failure) {  // the restart goes on, and no child is kept (51, 52)
    const bool is_own = !is_collateral || extras.recovery.has_reported(*cause);
    turn.log().hook_failed("actor.pre_restart-failed", *failure, Phase::pre_restart,
                           {cause.get(), is_own});
    stop_children(turn);
  }
  extras.recovery.fail_question(turn);
  turn.clear_current();
  turn.cell().owner_flags |= Cell::post_stop_done;
  extras.stash.unstash_all(turn);
  Instance::destroy(turn);
}

// From here until the new instance exists, the stage says what the actor waits for, and the system
// messages that must wait are deferred. What can fail for want of memory comes before the
// transition, so that an emergency stop finds either the former stage or complete data for the
// re-creation.
void Recovery::begin_recreation(Turn& turn, Stage waiting, FailurePtr cause, std::int64_t delay_ns,
                                bool is_collateral) {
  CellExtras& extras = turn.extras();
  ACTORD_ASSERT(cause && turn.cell().instance == nullptr);
  Instance::end_incarnation(turn);  // what pre_restart began, or the attempt that failed
  if (turn.cell().children != nullptr) stop_helpers(turn);
  if (waiting == Stage::creating) {  // 48
    const ChildrenStopFor scope(extras, cause);
    stop_children(turn);
  }
  extras.start_sequence.reset();
  turn.transition_to(waiting);
  Recovery& episode = extras.recovery;
  episode.is_cause_own_ = !is_collateral || episode.has_reported(*cause);
  episode.cause_ = std::move(cause);
  episode.delay_ns_ = delay_ns;
  recreate_when_ready(turn);
}

void Recovery::recreate_when_ready(Turn& turn) {
  ACTORD_ASSERT(turn.cell().life.is_waiting_to_restart());
  if (dying_children_of(turn.cell()) != 0 || turn.cell().life.is_doomed()) return;
  if (turn.extras().recovery.delay_ns_ > 0) return start_backoff(turn);
  if (turn.cell().life.stage() == Stage::creating) finish_creation(turn);
  else finish_recreation(turn);
}

void Recovery::start_backoff(Turn& turn) {
  Cell& cell = turn.cell();
  ThreadState& thread = turn.thread();
  Recovery& episode = turn.extras().recovery;
  const std::int64_t delay = std::min(std::exchange(episode.delay_ns_, 0), sched::longest_delay_ns);
  turn.log().backing_off(episode.named_cause(), delay);
  turn.tell_step(
      {.kind = ConfiguredStep::Kind::waiting, .failure = episode.cause_.get(), .delay_ns = delay});
  cell.owner_flags &= static_cast<std::uint8_t>(~Cell::is_known_up);
  episode.backoff_token_ = token::make(token::Kind::backoff, ++episode.last_token_);
  turn.transition_to(Stage::backing_off);
  const std::int64_t capacity = episode.cause_->backoff_capacity;
  if (capacity != Failure::unlimited &&
      (cell.sender_flags.load(base::relaxed) & (Cell::bounded | Cell::routing)) == 0) {
    cell.capacity_left.store(static_cast<std::int32_t>(std::min<std::int64_t>(capacity, INT32_MAX)),
                             base::relaxed);
    // release: pairs with the acquire of a sender (thread_state.hpp): a sender that sees the flag
    // also sees `capacity_left`.
    cell.sender_flags.store(Cell::backing_off, base::release);
  }
  episode.backoff_until_ns_ = thread.now_ns() + delay;
  episode.backoff_timer_ =
      thread.timer_at(episode.backoff_until_ns_, turn.self, episode.backoff_token_);
}

void Recovery::on_backoff_over(Turn& turn, std::uint64_t token) {
  Cell& cell = turn.cell();
  if (cell.life.stage() != Stage::backing_off) return;
  CellExtras& extras = turn.extras();
  if (token == 0) extras.recovery.cancel_backoff(turn);
  else if (extras.recovery.backoff_token_ != token) return;
  ACTORD_ASSERT(extras.recovery.cause_);
  if ((cell.sender_flags.load(base::relaxed) & (Cell::bounded | Cell::routing)) == 0)
    cell.sender_flags.store(0, base::relaxed);
  extras.instance.begin_lifetime(turn);
  turn.transition_to(cell.has(Cell::was_started) ? Stage::recreating : Stage::creating);
  recreate_when_ready(turn);
}

inline void Recovery::tell_start(Turn& turn, NamedFailure cause) {
  turn.log().started(cause);
  turn.log_lifecycle("started");
  turn.publish_lifecycle_step(LifecycleStep::started, {});
}

// A restart of an actor without configured children changes nothing that is known of it.
void Recovery::tell_up(Turn& turn) {
  Cell& cell = turn.cell();
  if (cell.has(Cell::is_known_up) && cell.props->node->children.empty()) return;
  cell.owner_flags |= Cell::is_known_up;
  turn.tell_step({.kind = ConfiguredStep::Kind::up});
}

void Recovery::start_configured(Turn& turn, NamedFailure cause) {
  FailurePtr started_for = std::exchange(turn.cell().props->started_for, {});
  if (cause.failure == nullptr) cause = {started_for.get(), false};
  tell_start(turn, cause);
  tell_up(turn);
  StartSequence::start(turn, std::move(started_for));
}

void Recovery::create(Turn& turn, NamedFailure cause) {
  turn.transition_to(Stage::running);
  if (turn.cell().props->crash) [[unlikely]]
    return fail_with_crash(turn);
  auto [failure, phase] = Instance::create(turn);
  if (turn.table().persistence != nullptr && !failure) [[unlikely]]
    failure = Persistence::begin(turn);
  if (!failure) {
    turn.cell().owner_flags |= Cell::was_started;
    if (turn.cell().props->node != nullptr) start_configured(turn, cause);
    else tell_start(turn, cause);
    return;
  }
  Instance::destroy(turn);
  fail(turn, turn.wrap_failure(causes::initialization, failure), phase);
}

// The supervisor judges the crash as it would have judged a failure. There is no instance yet, so
// Restart and Resume create the first one (supervision.md 179k).
void Recovery::fail_with_crash(Turn& turn) {
  const CrashChargePtr crash = std::exchange(turn.cell().props->crash, {});
  try {
    FailurePtr failure = failure_of(*crash, turn.environment().chains);
    record_circumstances(turn, *failure, Phase::crash);
    failure->lived_ns = crash->last.lived_ns;
    failure->message_type = turn.environment().types.find(crash->message_type);
    const Perpetrator itself{turn.self, failure->id};
    suspend_and_report(turn, std::move(failure), itself, {}, false);
  } catch (const std::bad_alloc&) {
    emergency_stop(turn);
  }
}

// The actor never started. The new attempt is like the first, without restart hooks (45, 46).
void Recovery::finish_creation(Turn& turn) {
  Recovery& episode = turn.extras().recovery;
  const FailurePtr cause = std::move(episode.cause_);
  turn.cell().life.resume();
  end_episode(turn);
  create(turn, {cause.get(), episode.is_cause_own_});
}

void Recovery::finish_recreation(Turn& turn) {
  Recovery& episode = turn.extras().recovery;
  ACTORD_ASSERT(episode.cause_ && turn.cell().instance == nullptr);
  // without those that the new instance will create
  const std::vector<Ref> survivors = living_children(turn);
  const FailurePtr cause = std::move(episode.cause_);
  const bool is_own = episode.is_cause_own_;
  Lifecycle& life = turn.cell().life;
  life.resume();
  end_episode(turn);
  turn.transition_to(Stage::running);
  life.begin_next_incarnation();
  ++turn.thread().counters.restarts;
  if (turn.cell().is_counted) ++turn.environment().counts.row_of(turn.cell()).restarts;
  auto [failure, phase] = Instance::recreate(turn, *cause);
  if (turn.table().persistence != nullptr && !failure) [[unlikely]]
    failure = Persistence::begin(turn);
  if (failure) {
    fail_recreation(turn, std::move(failure), phase, cause, survivors);
    turn.extras().recovery.pending_ack_ = {};
    return;
  }
  turn.log().restarted({cause.get(), is_own});
  turn.log_lifecycle("restarted");
  turn.publish_lifecycle_step(LifecycleStep::restarted, cause->root_cause().types->type());
  for (const Ref survivor : survivors) {  // 33
    turn.thread().send_system(survivor, SystemMessage::recreate(cause, 0, true));
  }
  if (turn.cell().props->node != nullptr) {
    tell_up(turn);
    StartSequence::start(turn, cause->id != 0 ? cause : FailurePtr{});
  }
  if (turn.table().persistence == nullptr) turn.extras().recovery.pending_ack_ = {};
  else end_order(turn);
}

void Recovery::end_order(Turn& turn) {
  CellExtras& extras = turn.extras();
  const bool is_up = turn.cell().life.stage() == Stage::running;
  if (is_up && (extras.persistence == nullptr || !extras.persistence->is_recovering()))
    extras.recovery.pending_ack_ = {};
}

// The actor has failed fatally, until a later attempt succeeds (53-58).
void Recovery::fail_recreation(Turn& turn, FailurePtr failure, Phase phase, const FailurePtr& cause,
                               std::span<const Ref> survivors) {
  Instance::destroy(turn);
  FailurePtr wrapped = turn.wrap_failure(causes::post_restart, failure);
  wrapped->follows = cause->id;
  wrapped->original = cause->original ? cause->original : cause;
  wrapped->backoff_capacity = cause->backoff_capacity;
  record_circumstances(turn, *wrapped, phase);
  // Children are in the order of creation: this attempt created those behind the last survivor.
  const Cell* const last = survivors.empty() ? nullptr : find_child(turn, survivors.back());
  bool is_of_attempt = last == nullptr;
  for (Cell& child : children_of(turn)) {
    if (is_of_attempt) child.child_flags |= Cell::of_failed_attempt;
    is_of_attempt |= &child == last;
  }
  const Perpetrator perpetrator{turn.self, wrapped->id};
  suspend_and_report(turn, std::move(wrapped), perpetrator, survivors, true);
}

// As after a failed creation (48): the next attempt creates children of the same names.
void Recovery::stop_children_of_failed_attempt(Turn& turn, const FailurePtr& cause) {
  const ChildrenStopFor scope(turn.extras(), cause);
  for (Cell& child : children_of(turn)) {
    if (child.has(Cell::of_failed_attempt)) unwatch_and_stop(turn, child);
  }
}

}  // namespace actord::actor
