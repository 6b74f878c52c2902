// SPDX-License-Identifier: Apache-2.0
#include "actor/termination.hpp"

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"

namespace actord::actor {

void Termination::terminate(Turn& turn, StopReason reason, FailurePtr failure, bool is_collateral,
                            Ref by) {
  Cell& cell = turn.cell();
  const bool was_terminating = cell.life.stage() == Stage::terminating;
  if (!was_terminating) {
    const bool is_guardian =
        turn.parent == nobody || turn.environment().cells.at(cell.parent).parent == Cell::none;
    if (is_guardian) turn.environment().guardian_stopping(turn.path());
    cell.stop_reason = reason;
    if (failure) keep_failure(turn, failure, is_collateral);
    if (cell.props->node != nullptr) [[unlikely]]
      keep_stopper(turn, reason, by);
    if (cell.life.stage() == Stage::backing_off) turn.extras().recovery.cancel_backoff(turn);
    cancel_outstanding(turn);
    const StopReason for_children =
        reason == StopReason::shutdown ? StopReason::shutdown : StopReason::parent;
    for (Cell& child : children_of(turn)) stop_child(turn, child, for_children, failure, true);
    turn.transition_to(Stage::terminating);
  }
  if (dying_children_of(cell) == 0) return finish(turn);
  if (was_terminating) return;
  cell.life.suspend();                                // no user messages while it waits
  if (!cell.life.is_failed()) cell.life.fail(false);  // no failure of its own is reported
}

void Termination::keep_failure(Turn& turn, FailurePtr failure, bool is_collateral) {
  const CellExtras* const known = turn.find_extras();
  const bool is_own =
      !is_collateral || (known != nullptr && known->recovery.has_reported(*failure));
  const bool is_told = turn.cell().props->node != nullptr ||  // see tell_step()
                       turn.thread().log.is_enabled(log::Level::info);
  if (!is_own && !is_told) return;
  Termination& termination = turn.extras().termination;
  termination.failure_ = std::move(failure);
  termination.is_own_ = is_own;
}

void Termination::keep_stopper(Turn& turn, StopReason reason, Ref by) {
  // No actor has decided about a reload or a shutdown.
  if (by == nobody && reason != StopReason::stopped && reason != StopReason::poison &&
      reason != StopReason::config && reason != StopReason::shutdown)
    by = turn.parent;
  if (by != nobody) turn.extras().termination.stopped_by_ = turn.thread().path(by);
}

// Cancels timers, asks and watches.
inline void Termination::cancel_outstanding(Turn& turn) {
  CellExtras* const extras = turn.find_extras();
  if (extras == nullptr) return;
  Instance::end_incarnation(turn);
  extras->death_watch.unwatch_all(turn);
  extras->room.end_wait(turn);
}

// From the transition on, the end cannot be stopped, because another actor will get the cell. If
// there is no memory for a dead letter or a log line, it is left out.
void Termination::finish(Turn& turn) {
  run_post_stop(turn);
  cancel_outstanding(turn);  // timers, asks and watches that post_stop began
  Recovery::end_episode(turn);
  void* const block = Instance::destroy_and_take_block(turn);
  turn.transition_to(Stage::terminated);
  if ((turn.cell().sender_flags.load(base::relaxed) & Cell::routing) != 0) [[unlikely]]
    turn.environment().routes.end(turn.cell());
  send_mail_to_dead_letters(turn);
  try {
    log_and_publish_end(turn);
  } catch (const std::bad_alloc&) {}
  Instance::release(turn.thread(), turn.cell(), block);
}

[[gnu::always_inline]] inline void Termination::log_and_publish_end(Turn& turn) {
  Cell& cell = turn.cell();
  if (cell.has(Cell::subscribed)) turn.environment().unsubscribe(turn.self, 0);
  if (cell.props->node != nullptr) [[unlikely]] {
    log_configured_end(turn);
  } else if (const CellExtras* const extras = turn.find_extras()) {
    turn.log().stopped(extras->termination.named_failure());
  } else if (turn.thread().log.is_enabled(log::Level::info)) {
    turn.log().stopped({});
  }
  turn.log_lifecycle("stopped");
  if (turn.environment().has_lifecycle_subscribers.load(base::relaxed)) [[unlikely]]
    turn.publish_lifecycle_step(LifecycleStep::stopped, name_of(cell.stop_reason));
}

[[gnu::noinline]] void Termination::log_configured_end(Turn& turn) {
  const Termination none;
  const CellExtras* const extras = turn.find_extras();
  const Termination& end = extras != nullptr ? extras->termination : none;
  turn.log().stopped(end.named_failure(), end.stopped_by_);
  turn.tell_step({.kind = ConfiguredStep::Kind::stopped,
                  .reason = turn.cell().stop_reason,
                  .failure = end.failure_.get(),
                  .stopped_by = end.stopped_by_});
}

// Called once for an instance: not if pre_restart has had it already, not if the creation failed.
inline void Termination::run_post_stop(Turn& turn) {
  Cell& cell = turn.cell();
  if (cell.instance == nullptr || cell.has(Cell::post_stop_done)) return;
  cell.owner_flags |= Cell::post_stop_done;
  const actord_hook post_stop = turn.table().post_stop;
  if (post_stop == nullptr) return;
  const CellExtras* const extras = turn.find_extras();
  Envelope* const failed = extras != nullptr ? extras->recovery.failed_message() : nullptr;
  if (failed != nullptr)
    turn.set_current_kept(failed);  // post_stop can still answer its sender (61)
  if (const FailurePtr failure = turn.call_hook(post_stop))
    turn.log().hook_failed(
        "actor.post_stop-failed", *failure, Phase::post_stop,
        extras != nullptr ? extras->termination.named_failure() : NamedFailure{});
  turn.clear_current();
}

namespace {

// Sends an unread message to dead letters, or drops it if there is no memory.
void send_unread_to_dead_letters(Turn& turn, Envelope* envelope) {
  ThreadState& thread = turn.thread();
  try {
    if (Redelivery::is_place(*envelope)) [[unlikely]]
      envelope = turn.extras().redelivery->take_unread(turn, envelope);
    if (envelope != nullptr) thread.send_to_dead_letters(turn.self, envelope, Undelivered::stopped);
  } catch (const std::bad_alloc&) {
    thread.discard(envelope);
  }
}

// The messages of the packet; none if there is no memory for them.
EnvelopeList unpack_unread(ThreadState& thread, message::Packet& packet) {
  EnvelopeList list;
  try {
    list = thread.unpack(packet);
  } catch (const std::bad_alloc&) {
    thread.counters.undelivered += packet.size();
  }
  thread.free_any_block(&packet);
  return list;
}

// Refuses system messages that the actor did not handle.
void answer_all_for_terminated(ThreadState& thread, Ref self, Envelope* messages) {
  while (messages != nullptr) {
    Envelope* const each = std::exchange(messages, messages->next);
    try {
      thread.answer_for_terminated(self, each);
    } catch (const std::bad_alloc&) {
      thread.drop(each);
    }
  }
}

}  // namespace

// Sends everything unread to dead letters in its order: the stash, then the mailbox (134, 155). The
// mailbox and the system queue are closed first.
[[gnu::always_inline]] inline void Termination::send_mail_to_dead_letters(Turn& turn) {
  ThreadState& thread = turn.thread();
  Cell& cell = turn.cell();
  CellExtras* const extras = turn.find_extras();
  Envelope* unread =
      cell.inbox.close(cell.mailbox, [&thread](Envelope* block) { thread.free_any_block(block); });
  Envelope* const system_messages = cell.system.close();
  if (extras != nullptr) {
    extras->room.release_all(turn);
    if (extras->persistence != nullptr) extras->persistence->release(turn);
    for (Envelope* each = extras->stash.take_all(); each != nullptr;)
      send_unread_to_dead_letters(turn, std::exchange(each, each->next));
  }
  while (unread != nullptr) {
    Envelope* const each = std::exchange(unread, unread->next);
    if (each->has(Envelope::packet)) [[unlikely]] {
      const EnvelopeList list = unpack_unread(thread, message::Packet::of(*each));
      if (list.is_empty()) continue;
      list.last()->next = unread;
      unread = list.first();
    } else send_unread_to_dead_letters(turn, each);
  }
  if (extras != nullptr) answer_all_for_terminated(thread, turn.self, extras->deferred.take_all());
  if (system_messages != nullptr) [[unlikely]]
    answer_all_for_terminated(thread, turn.self, system_messages);
}

namespace {

void notify_watchers(Turn& turn, Ref parent_ref, const std::vector<DeathWatch::Watcher>& watchers,
                     StopReason reason) {
  for (const DeathWatch::Watcher& watcher : watchers) {
    // notified as the parent already
    if (watcher.who == parent_ref && watcher.token == 0) continue;
    turn.thread().send_system(watcher.who,
                              SystemMessage::terminated(turn.self, reason, true, watcher.token));
  }
}

}  // namespace

void Termination::notify_parent_and_watchers(Turn& turn) {
  Cell& cell = turn.cell();
  ACTORD_ASSERT(cell.life.stage() == Stage::terminated);
  Environment& environment = turn.environment();
  CellExtras* const extras = std::exchange(cell.extras, nullptr);
  ChildList::destroy(turn);
  const StopReason reason = cell.stop_reason;
  const Ref parent = turn.parent;
  if (parent != nobody)
    turn.thread().send_system(parent, SystemMessage::child_terminated(turn.self, reason));
  // From here on the parent may recycle the cell.
  if (extras != nullptr) {
    const std::unique_ptr<CellExtras> owned(extras);
    notify_watchers(turn, parent, owned->death_watch.take_watchers(), reason);
  }
  if (parent == nobody) environment.root_stopped();
}

}  // namespace actord::actor
