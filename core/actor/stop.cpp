// SPDX-License-Identifier: Apache-2.0
//
// The way out (supervision.md I): suspended, children first, then post_stop, then the mail to dead
// letters, then the parent is told, then the watchers. Nothing here waits: what it waits for comes
// as system mail.
#include "actor/activation.hpp"

namespace actord::actor {

void Activation::stop(Ref whom) {
  if (Cell* const child = child_of(whom)) return stop_child(*child, StopReason::parent, {}, false);
  local_.order(whom, Order::terminate);
}

void Activation::stop_child(Cell& child, StopReason reason, FailurePtr failure,
                            bool is_collateral) {
  if ((child.child_flags & Cell::dying) == 0) {
    child.child_flags |= Cell::dying;
    ++organs().dying;
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

void Activation::terminate(StopReason reason, FailurePtr failure, bool is_collateral) {
  const bool was_terminating = cell_.stage == Stage::terminating;
  if (!was_terminating) {
    log_lifecycle("stopping");
    const bool is_guardian = parent == nobody || at(cell_.parent)->parent == Cell::none;
    if (is_guardian) environment_.guardian_stopping(path());
    Ending& ending = organs().ending;
    ending.reason = reason;
    ending.failure = std::move(failure);
    ending.is_collateral = is_collateral;
    if (cell_.stage == Stage::backing_off)
      environment_.executor.timers().cancel(organs().episode.backoff_timer);
    void_incarnation();
    unwatch_all();
    const StopReason for_children =
        reason == StopReason::shutdown ? StopReason::shutdown : StopReason::parent;
    for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
      stop_child(*child, for_children, {}, false);
    }
  }
  cell_.stage = Stage::terminating;
  if (organs().dying == 0) return finish_termination();
  if (was_terminating) return;
  ++cell_.suspensions;  // no user mail while waiting for the children
  if (cell_.fail_state == Cell::healthy)
    cell_.fail_state = Cell::failed;  // and no failure of ours is judged
}

void Activation::finish_termination() {
  run_post_stop();
  void_incarnation();  // what post_stop began
  unwatch_all();
  end_episode();
  destroy_instance();
  cell_.stage = Stage::terminated;
  bury_mail();
  if (cell_.has(Cell::subscribed)) environment_.unsubscribe(self, 0);
  log_stopped();
  log_lifecycle("stopped");
  tell_of_life(LifeStep::stopped, name_of(organs().ending.reason));
  std::exchange(cell_.props, nullptr)->drop();
}

// Once for the incarnation that was alive: not after pre_restart, not where the creation failed.
void Activation::run_post_stop() {
  if (cell_.instance == nullptr || cell_.has(Cell::post_stop_done)) return;
  Episode& episode = organs().episode;
  if (episode.message != nullptr) {  // supervision.md 61: the sender can still be answered
    lend(episode.message);
    is_kept_ = true;
  }
  if (FailurePtr failure = call_hook(table().post_stop)) {
    log_hook_failure("actor.post_stop-failed", *failure, Phase::post_stop);
  }
  take_back();
  cell_.owner_flags |= Cell::post_stop_done;
}

// Everything unread becomes a dead letter in its order: the stash, then the mailbox (supervision.md
// 134, 155).
void Activation::bury_mail() {
  for (Envelope* envelope = organs().stash.take(); envelope != nullptr;) {
    local_.bury(self, std::exchange(envelope, envelope->next), Undelivered::stopped);
  }
  const auto free_block = [this](Envelope* block) { local_.free_block(block); };
  for (Envelope* envelope = cell_.inbox.close(cell_.mailbox, free_block); envelope != nullptr;) {
    local_.bury(self, std::exchange(envelope, envelope->next), Undelivered::stopped);
  }
  for (Envelope* envelope = organs().parked.take(); envelope != nullptr;) {
    local_.refuse_order(self, std::exchange(envelope, envelope->next));
  }
  for (Envelope* envelope = cell_.system.close(); envelope != nullptr;) {
    local_.refuse_order(self, std::exchange(envelope, envelope->next));
  }
}

}  // namespace actord::actor
