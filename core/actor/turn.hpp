// SPDX-License-Identifier: Apache-2.0
//
// One turn of a cell on a worker: the environment, the cell and the message being handled. Hooks,
// and handlers apart from the hot path in Activation, are called only through call_plugin(). The
// turn is passed to every part of this folder, and to the plugin as its context: the C interface
// sees the base class.
//
// Order of the parts in this folder, lowest first. Each knows only those before it; a lower part
// returns what is to be done next instead of calling a higher one:
//   Lifecycle, ActorLog, Turn, subscriptions, replies, selection,
//   DeathWatch, ActorTimers, Asks, ReceiveStack, DeferredSystemMessages, MailboxRoom,
//   MailboxOrder, Redelivery, Stash, Persistence,
//   Instance, ChildList, spawning, StartSequence, Recovery, Termination,
//   orders, supervisor, inspector, reconfigurer, Activation (builtin_messages, credits,
//   journal_answers, redelivered and traces, too).
//
// An Activation is built for every turn. So a part keeps its state in the cell or in the CellExtras
// beside it, never in the turn.
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
                       nullptr,
                       nobody},
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

  /// The state that only some actors need; null until this actor needs some of it.
  CellExtras* find_extras() const noexcept { return cell_.extras; }
  /// The same, created if there is none. Throws std::bad_alloc.
  CellExtras& extras() {
    if (cell_.extras == nullptr) [[unlikely]]
      make_extras();
    return *cell_.extras;
  }

  // ---- lifecycle ----
  /// Every change of the stage is a call of this. Asserts that the transition is legal, and logs it
  /// at level debug if the table of transitions has a text for it.
  [[gnu::always_inline]] void transition_to(Stage next) noexcept {
    const Stage former = cell_.life.stage();
    cell_.life.transition_to(next);
    if (is_logged(next) && environment_.debug.lifecycle.load(base::relaxed)) [[unlikely]]
      log_transition(former, next);
  }
  void log_lifecycle(std::string_view text, Ref about = nobody) const {
    if (environment_.debug.lifecycle.load(base::relaxed)) [[unlikely]]
      log().lifecycle(text, about);
  }
  /// Publishes a lifecycle step on the event stream, if an actor has subscribed to them.
  void publish_lifecycle_step(LifecycleStep step, std::string_view detail) {
    if (environment_.has_lifecycle_subscribers.load(base::relaxed)) [[unlikely]]
      environment_.publish_lifecycle_step(thread_, step, self, detail);
  }
  /// Tells the system of a step of this actor, if it is a configured one.
  [[gnu::always_inline]] void tell_step(const ConfiguredStep& step) const noexcept {
    if (cell_.props->node != nullptr) [[unlikely]]
      tell_configured_step(step);
  }
  /// Stops this actor as if by a system message to itself: after the system messages that wait
  /// already, before all other messages.
  /// `by` is the actor that asks for it, if one is known.
  void stop_self(StopReason reason, Ref by);
  /// True if stop_self() was called and no system message waited: the turn must stop the actor
  /// next.
  bool is_stop_due() const noexcept { return is_stop_due_; }
  struct DueStop {
    StopReason reason;
    Ref by;  // who has asked for it
  };
  DueStop take_due_stop() noexcept {
    is_stop_due_ = false;
    return due_stop_;
  }

  // ---- the message being handled ----
  /// The envelope of the message; null between two messages.
  Envelope* current() const noexcept { return current_; }
  /// The actor that sent the current message. It is not `sender` if the message is an ask: then
  /// `sender` is the ref to which the asker is answered.
  Ref sending_actor() const noexcept {
    return current_ != nullptr && current_->has(Envelope::ask) ? current_->token() : sender;
  }
  /// If the current message is an ask, it has been answered, or others may answer it.
  void mark_sender_taken() noexcept { taken_sender = sender; }
  /// Keeps in an ask, which outlives the turn, whether its sender was taken while it was the
  /// current message.
  void note_if_taken(Envelope& question) const noexcept {
    if (question.sender == taken_sender) question.type_and_flags |= Envelope::taken;
  }
  /// True if the current message is owned by the stash or by the episode of a failure, and so
  /// remains after its handler.
  bool is_kept() const noexcept { return (after_call_ & message_kept) != 0; }
  /// Makes this the current message, which the context shows. The turn owns it until finish() or
  /// keep_current().
  void set_current(Envelope* envelope) noexcept {
    ACTORD_DEBUG_ASSERT(envelope->target_generation == generation_of(self));
    show_message(envelope);
    after_call_ = 0;
  }
  /// The same for a message that another owner keeps.
  void set_current_kept(Envelope* envelope) noexcept {
    show_message(envelope);
    after_call_ = message_kept;
  }
  /// Gives up ownership of the current message. The new owner may take the envelope later, by
  /// keep_current().
  void mark_kept() noexcept { after_call_ |= message_kept; }
  /// The running call of the plugin has persisted something (persistence.hpp).
  void note_unstored() noexcept { after_call_ |= something_unstored; }
  /// Whether it has, once.
  bool take_unstored() noexcept {
    if ((after_call_ & something_unstored) == 0) [[likely]]
      return false;
    after_call_ &= static_cast<std::uint8_t>(~unsigned{something_unstored});
    return true;
  }
  /// Passes ownership of the current message to the caller and returns its envelope. If the
  /// envelope is the mailbox's marker, its block has to stay; then the content moves to another
  /// block.
  Envelope* keep_current();
  /// There is no current message any more, and the context shows none. Ownership does not change.
  void clear_current() noexcept {
    current_ = nullptr;
    message_type = 0;
    sender = nobody;
    message = nullptr;
  }
  /// Ends the current message: destroys it unless it is kept.
  void finish(Envelope* envelope);
  /// Ends a message that was taken out of the mailbox and is not delivered to `recipient`.
  void end_undelivered(Envelope* envelope, Ref recipient, Undelivered reason);
  /// Destroys a message and gives its block back, unless that is the mailbox's marker.
  [[gnu::always_inline]] static void release(ThreadState& thread, Cell& tenant,
                                             Envelope* envelope) {
    thread.clear(envelope);
    if (!tenant.inbox.is_marker(envelope)) thread.free_block(envelope);
  }
  /// Whether anything is to be done for the message after its handler: it is kept, or the handler
  /// has continued a trace or persisted something.
  bool has_more_to_do() const noexcept { return after_call_ != 0; }
  /// The running call of the plugin acts for a request with that context, as a span of its own: its
  /// messages carry it until it returns.
  void continue_trace(const message::TraceContext& from);
  bool has_continued() const noexcept { return (after_call_ & trace_continued) != 0; }
  /// The call has returned: writes its span, if it has continued a trace.
  void end_continued() {
    if (has_continued()) [[unlikely]]
      finish_continued();
  }
  /// Copies a message to pass it on: a mailbox must not get the same envelope twice. Returns null
  /// if the type's copy function failed, which is logged.
  Envelope* copy_of(Envelope& from);

  // ---- limits of the plugin ----
  enum class Counted : std::uint8_t { no, yes, refused };
  /// Counts one more timer or ask of the actor's plugin, if it has limits. If it has as many as it
  /// may, the running call of the plugin will fail.
  Counted count(PluginUsage::Kind kind) {
    PluginUsage* const usage = cell_.props->behaviour.usage();
    return usage == nullptr ? Counted::no : count_in(*usage, kind);
  }
  /// One that was counted has ended.
  void uncount(PluginUsage::Kind kind) const { cell_.props->behaviour.usage()->give(kind); }
  /// PluginUsage::take() was false. Logs that now and then, and returns the reason for the author.
  std::string refuse(PluginUsage& usage, PluginUsage::Kind kind) const;

  // ---- plugin code ----
  /// Calls the plugin and returns the failure that it reported, or null if it succeeded. An
  /// exception that the plugin throws against the rules becomes a failure, too.
  template <class Call>
  [[gnu::always_inline]] FailurePtr call_plugin(Call&& call) {
    ErrorReceiver errors(thread_.recorder);
    try {
      if (call(static_cast<actord_context*>(this), static_cast<actord_errors*>(&errors)) ==
              ACTORD_OK &&
          !thread_.over_limit) [[likely]] {
        end_continued();
        return {};
      }
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (...) {
      errors.failure = foreign_failure();
    }
    return failure_of_call(std::move(errors.failure));
  }
  /// The failure of a call that has not succeeded, or that has asked for more than the plugin may
  /// have: what the plugin reported comes first.
  FailurePtr failure_of_call(FailurePtr reported);
  /// The failure as this actor's plugin is shown it.
  FailureView view_of(const Failure& failure) const {
    return {failure, {environment_.types, cell_.props->behaviour.declarer}};
  }
  /// Null if there is no such hook.
  FailurePtr call_hook(actord_hook hook) { return hook != nullptr ? call_any(hook) : FailurePtr{}; }
  FailurePtr call_restart_hook(actord_restart_hook hook, const Failure& reason);

  /// The failure for an exception that crossed the plugin boundary.
  FailurePtr foreign_failure();
  /// The failure for a plugin call that failed without reporting one.
  FailurePtr nameless_failure();
  /// A failure of one of the runtime's own types.
  FailurePtr builtin_failure(std::span<const actord_str> types, std::string_view what,
                             FailurePtr cause = {}) {
    return thread_.recorder.make(types, what, std::move(cause));
  }
  /// The same with `failure` as its cause and the text of `failure`.
  FailurePtr wrap_failure(std::span<const actord_str> types, const FailurePtr& failure);

 private:
  void finish_continued();
  enum AfterCall : std::uint8_t { message_kept = 1, trace_continued = 2, something_unstored = 4 };

  // Calls a hook that is not null.
  FailurePtr call_any(actord_hook hook);
  void make_extras();
  Counted count_in(PluginUsage& usage, PluginUsage::Kind kind);
  void tell_configured_step(const ConfiguredStep& step) const noexcept;
  void log_transition(Stage from, Stage to) const noexcept;
  // Sets the context's fields; ownership is up to the caller.
  void show_message(Envelope* envelope) noexcept {
    current_ = envelope;
    message_type = envelope->type();
    sender = envelope->sender;
    message = envelope->payload();
  }

  ThreadState& thread_;
  Environment& environment_;
  Cell& cell_;
  Envelope* current_ = nullptr;
  std::uint8_t after_call_ = 0;  // AfterCall
  bool is_stop_due_ = false;
  DueStop due_stop_;  // set while one is due
};

}  // namespace actord::actor
