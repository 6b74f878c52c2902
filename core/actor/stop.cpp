// SPDX-License-Identifier: Apache-2.0
//
// The way out (supervision.md I): suspended, children first, then post_stop, then the mail to dead
// letters, then the parent is told, then the watchers. Nothing here waits: what it waits for comes
// as system mail.
#include "actor/activation.hpp"

namespace actord::actor {

void Activation::stop(Ref whom) {
  if (whom == self) return stop_self(StopReason::stopped);
  if (Cell* const child = child_of(whom)) return stop_child(*child, StopReason::parent, {}, false);
  local_.order(whom, Order::terminate);
}

// As if by an order to ourselves: before all other mail, behind the orders that are here already.
void Activation::stop_self(StopReason reason) {
  if (is_stop_due_) return;
  if (cell_.system.has_mail()) {
    SystemBody body;
    body.reason = reason;
    return local_.order(self, Order::terminate, body);
  }
  is_stop_due_ = true;
  stop_due_for_ = reason;
}

void Activation::stop_child(Cell& child, StopReason reason, FailurePtr failure,
                            bool is_collateral) {
  if ((child.child_flags & Cell::dying) == 0) {
    child.child_flags |= Cell::dying;
    ++cell_.family->dying;
  }
  SystemBody body;
  body.reason = reason;
  body.failure = failure.release();
  body.flags = is_collateral ? SystemBody::collateral : 0;
  local_.order(ref_of(child), Order::terminate, body);
}

// The public half of the default pre_restart: unwatched before stopped, so that the next
// incarnation hears nothing of them (supervision.md 128).
void Activation::stop_children() {
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    unwatch(ref_of(*child));
    stop_child(*child, StopReason::parent, {}, false);
  }
}

// Timers, asks and watches, which only an actor with organs can have.
inline void Activation::let_go_of_others() {
  if (cell_.organs == nullptr) return;
  void_incarnation();
  unwatch_all();
}

// Once for the incarnation that was alive: not after pre_restart, not where the creation failed.
inline void Activation::run_post_stop() {
  if (cell_.instance == nullptr || cell_.has(Cell::post_stop_done)) return;
  cell_.owner_flags |= Cell::post_stop_done;
  if (table().post_stop == nullptr) return;
  Envelope* const failed = cell_.organs != nullptr ? cell_.organs->episode.message : nullptr;
  if (failed != nullptr) {  // supervision.md 61: the sender can still be answered
    lend(failed);
    is_kept_ = true;
  }
  if (FailurePtr failure = call_hook(table().post_stop)) {
    log_hook_failure("actor.post_stop-failed", *failure, Phase::post_stop);
  }
  take_back();
}

// Everything unread becomes a dead letter in its order: the stash, then the mailbox (supervision.md
// 134, 155).
[[gnu::always_inline]] inline void Activation::bury_mail() {
  Organs* const o = cell_.organs;
  if (o != nullptr) local_.bury_all(self, o->stash);
  const auto free_block = [this](Envelope* block) { local_.free_any_block(block); };
  for (Envelope* envelope = cell_.inbox.close(cell_.mailbox, free_block); envelope != nullptr;) {
    Envelope* const each = std::exchange(envelope, envelope->next);
    if (each->has(Envelope::packet)) [[unlikely]] {
      const EnvelopeList list = local_.unpack(message::Packet::of(*each));
      list.last()->next = envelope;
      envelope = list.first();
      local_.free_any_block(each);
    } else local_.bury(self, each, Undelivered::stopped);
  }
  if (o != nullptr) {
    for (Envelope* envelope = o->parked.take(); envelope != nullptr;)
      local_.refuse_order(self, std::exchange(envelope, envelope->next));
  }
  for (Envelope* envelope = cell_.system.close(); envelope != nullptr;) {
    local_.refuse_order(self, std::exchange(envelope, envelope->next));
  }
}

void Activation::finish_termination() {
  run_post_stop();
  let_go_of_others();  // what post_stop began
  end_episode();
  void* const block = take_apart();
  cell_.stage = Stage::terminated;
  bury_mail();
  if (cell_.has(Cell::subscribed)) environment_.unsubscribe(self, 0);
  if (cell_.organs != nullptr || local_.log.is_enabled(log::Level::info)) log_stopped();
  log_lifecycle("stopped");
  if (environment_.hears_of_lives.load(base::relaxed)) [[unlikely]]
    tell_of_life(LifeStep::stopped, name_of(cell_.stop_reason));
  free_block(cell_, block);
}

void Activation::terminate(StopReason reason, FailurePtr failure, bool is_collateral) {
  const bool was_terminating = cell_.stage == Stage::terminating;
  if (!was_terminating) {
    log_lifecycle("stopping");
    const bool is_guardian = parent == nobody || at(cell_.parent)->parent == Cell::none;
    if (is_guardian) environment_.guardian_stopping(path());
    cell_.stop_reason = reason;
    if (failure) organs().ending = {std::move(failure), is_collateral};
    if (cell_.stage == Stage::backing_off) local_.cancel(organs().episode.backoff_timer);
    let_go_of_others();
    const StopReason for_children =
        reason == StopReason::shutdown ? StopReason::shutdown : StopReason::parent;
    for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
      stop_child(*child, for_children, {}, false);
    }
  }
  cell_.stage = Stage::terminating;
  if (dying() == 0) return finish_termination();
  if (was_terminating) return;
  ++cell_.suspensions;  // no user mail while waiting for the children
  if (cell_.fail_state == Cell::healthy)
    cell_.fail_state = Cell::failed;  // and no failure of ours is judged
}

}  // namespace actord::actor
