// SPDX-License-Identifier: Apache-2.0
//
// One turn of a cell on a worker: the environment, the cell, the message being handled, and the one
// place that calls the author's code apart from the hot path. Every organ is handed the turn. It is
// also the context that the plugin is lent; the C interface sees the base class.
//
// Order of the parts in this room, from the bottom; each knows only those before it, and a lower
// part returns what is due instead of calling up:
//   Lifecycle, ActorLog, Turn, subscriptions, replies, selection,
//   DeathWatch, ActorTimers, Asks, ReceiveStack, DeferredSystemMessages, Stash,
//   Instance, ChildList, spawning, StartSequence, Recovery, Termination,
//   supervisor, reconfigurer, Activation.
//
// An Activation is built for every turn. An organ's state therefore lies in the cell or in the
// CellExtras beside it, never in the turn.
#pragma once

#include <cxxabi.h>

#include "actor/actor_log.hpp"
#include "actor/thread_state.hpp"

namespace actord::actor {

class Turn : public actord_context {
 public:
  Turn(ThreadState& thread, Cell& tenant)
      : actord_context{sizeof(actord_context),
                       0,
                       thread.environment.host,
                       thread.environment.handle,
                       reinterpret_cast<actord_cell*>(&tenant),
                       thread.environment.cells.ref_of(tenant),
                       make_ref(tenant.parent, tenant.parent_generation),
                       nobody,
                       nullptr},
        thread_(thread),
        environment_(thread.environment),
        cell_(tenant) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  ThreadState& thread() const noexcept { return thread_; }
  Environment& environment() const noexcept { return environment_; }
  Cell& cell() const noexcept { return cell_; }
  const actord_behaviour& table() const noexcept { return cell_.props->behaviour.table; }
  std::string path() const { return environment_.cells.path_of(cell_); }
  ActorLog log() const noexcept { return {thread_, cell_}; }

  /// What only some actors need; null if this one has needed none of it yet.
  CellExtras* find_extras() const noexcept { return cell_.extras; }
  /// The same, made now if there is none. Throws std::bad_alloc.
  CellExtras& extras() {
    if (cell_.extras == nullptr) [[unlikely]]
      make_extras();
    return *cell_.extras;
  }

  // ---- life ----
  /// The one way to another stage. Asserts that the transition is legal, and logs it at level debug
  /// where the table has a text for it.
  [[gnu::always_inline]] void transition_to(Stage next) noexcept {
    const Stage former = cell_.life.stage();
    cell_.life.transition_to(next);
    if (is_told(next) && environment_.debug.lifecycle.load(base::relaxed)) [[unlikely]]
      log_transition(former, next);
  }
  void log_lifecycle(std::string_view text, Ref about = nobody) const {
    if (environment_.debug.lifecycle.load(base::relaxed)) [[unlikely]]
      log().lifecycle(text, about);
  }
  void tell_of_life(LifeStep step, std::string_view detail) {
    if (environment_.hears_of_lives.load(base::relaxed)) [[unlikely]]
      environment_.tell_of_life(thread_, step, self, detail);
  }
  /// Stops this actor as if by an order to itself: before all other mail, behind the orders that
  /// are here already.
  void stop_self(StopReason reason);
  bool is_stop_due() const noexcept { return is_stop_due_; }
  StopReason take_due_stop() noexcept {
    is_stop_due_ = false;
    return stop_due_for_;
  }

  // ---- the message being handled ----
  /// Null between two messages.
  Envelope* current() const noexcept { return current_; }
  /// True if the current message has another owner beyond its handler: the stash, or the episode of
  /// a failure.
  bool is_kept() const noexcept { return is_kept_; }
  /// Shows the message in the context. The turn owns it until finish() or keep_current().
  void lend(Envelope* envelope) noexcept {
    ACTORD_DEBUG_ASSERT(envelope->target_generation == generation_of(self));
    lend_owned(envelope);
    is_kept_ = false;
  }
  /// The same for a message that has an owner already, which remains.
  void lend_kept(Envelope* envelope) noexcept {
    lend_owned(envelope);
    is_kept_ = true;
  }
  /// The current message gets an owner that asks for the envelope later, by keep_current().
  void mark_kept() noexcept { is_kept_ = true; }
  /// Gives the current message an owner beyond this call and answers the envelope to be owned. The
  /// mailbox's marker block stays where it is: then the content moves to another block.
  Envelope* keep_current();
  /// Hides the message, whose owner remains the same.
  void take_back() noexcept {
    current_ = nullptr;
    message_type = 0;
    sender = nobody;
    message = nullptr;
  }
  /// The end of a message: destroyed, unless it is kept.
  void finish(Envelope* envelope);
  /// Destroys a message and gives its block back, unless that is the mailbox's marker.
  [[gnu::always_inline]] static void release(ThreadState& thread, Cell& tenant,
                                             Envelope* envelope) {
    thread.clear(envelope);
    if (!tenant.inbox.is_marker(envelope)) thread.free_block(envelope);
  }
  /// An envelope is pushed once in its life: passing a message on makes a copy in a fresh one. Null
  /// if the type's copy failed, which is logged.
  Envelope* copy_of(Envelope& from);

  // ---- the author's code ----
  /// Calls the plugin and answers what it reported, null if it succeeded. It is also the backstop
  /// for a plugin that breaks its word and throws.
  template <class Call>
  FailurePtr call_plugin(Call&& call) {
    ErrorReceiver errors(thread_.recorder);
    try {
      if (call(static_cast<actord_context*>(this), static_cast<actord_errors*>(&errors)) ==
          ACTORD_OK) [[likely]]
        return {};
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (...) {
      return foreign_failure();
    }
    return errors.failure ? std::move(errors.failure) : nameless_failure();
  }
  /// Null if there is no such hook.
  FailurePtr call_hook(actord_hook hook) { return hook != nullptr ? call_any(hook) : FailurePtr{}; }
  FailurePtr call_restart_hook(actord_restart_hook hook, const Failure& reason);

  /// Of an exception that crossed the plugin boundary.
  FailurePtr foreign_failure();
  /// Of a call that failed and reported nothing.
  FailurePtr nameless_failure();
  FailurePtr builtin_failure(std::span<const actord_str> types, std::string_view what,
                             FailurePtr cause = {}) {
    return thread_.recorder.make(types, what, std::move(cause));
  }
  /// One of ours, with `failure` as its cause and its text.
  FailurePtr wrap_failure(std::span<const actord_str> types, const FailurePtr& failure);

 private:
  FailurePtr call_any(actord_hook hook);
  void make_extras();
  void log_transition(Stage from, Stage to) const noexcept;
  void lend_owned(Envelope* envelope) noexcept {
    current_ = envelope;
    message_type = envelope->type();
    sender = envelope->sender;
    message = envelope->payload();
  }

  ThreadState& thread_;
  Environment& environment_;
  Cell& cell_;
  Envelope* current_ = nullptr;
  bool is_kept_ = false;
  bool is_stop_due_ = false;
  StopReason stop_due_for_{};
};

}  // namespace actord::actor
