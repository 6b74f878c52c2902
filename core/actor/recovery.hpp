// SPDX-License-Identifier: Apache-2.0
//
// Recovery carries out what a failure does to the actor that failed. The actor reports the failure
// and waits; then it is resumed, restarted or created anew, as its supervisor decides
// (supervision.md 12-66). The supervisor's part is in supervisor.hpp.
//
// The order of a restart: suspend the actor with all its descendants; call pre_restart; destroy the
// old instance; wait for the children that it stopped; wait for the back-off delay, if there is
// one; call the constructor and post_restart; restart the kept children; handle user messages
// again.
//
// An *episode* begins with a failure, either of this actor or of a child whose failure it
// escalated. It ends when the actor has been resumed, restarted, created anew or terminated.
// Recovery holds the state of the episode.
#pragma once

#include <span>

#include "actor/pending_ack.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// The actor whose failure began an episode, and the id of that failure.
struct Perpetrator {
  Ref ref = nobody;
  std::uint64_t failure_id = 0;
};

/// Only the actor's own turn calls it. The functions are static, because an actor without
/// CellExtras can also be suspended, resumed and restarted.
class Recovery {
 public:
  // ---- failing ----
  /// The actor itself has failed: suspends it and its children and reports the failure to its
  /// parent. A further failure during the same episode is not reported (14, 58, 65). `perpetrator`
  /// is a child that its own failure has suspended already, so it is not suspended again; without
  /// one, the perpetrator is the actor itself.
  static void fail(Turn& turn, FailurePtr failure, Phase phase, Perpetrator perpetrator = {});
  /// The process of the instance has ended. Void if the actor has another instance by now.
  static void on_instance_lost(Turn& turn, FailurePtr failure, std::uint64_t incarnation);
  /// A child's failure becomes this actor's own: the parent decides, and the child stays suspended
  /// (4, 14).
  static void escalate(Turn& turn, FailurePtr failure, Ref child);
  /// The handling of a failure has failed itself for want of memory: the actor is stopped. It stops
  /// by a system message to itself, because the caller may be in the middle of any change (63).
  static void emergency_stop(Turn& turn) noexcept;

  // ---- system messages from the supervisor ----
  /// Suspends the actor and all its children.
  static void suspend(Turn& turn);
  /// With a `failure`, this is the verdict Resume on this actor's failure `judged_id`. Without one,
  /// the actor is resumed together with its parent; if it has failed itself, it still waits for its
  /// own verdict.
  static void resume(Turn& turn, FailurePtr failure, std::uint64_t judged_id = 0);
  /// Restarts the actor, or creates it anew if its creation has failed. `is_collateral`: `cause` is
  /// another actor's failure. A terminating actor is only resumed (40).
  static void recreate(Turn& turn, FailurePtr cause, std::int64_t delay_ns, bool is_collateral);
  /// The back-off timer has fired, or, if `token` is 0, the operator does not want to wait for it.
  /// Does nothing if it is not the token of the current back-off.
  static void on_backoff_over(Turn& turn, std::uint64_t token);

  /// Makes an attempt at the first incarnation. If the creation fails, the actor fails. `cause` is
  /// why an earlier attempt was given up; null for the first one.
  static void create(Turn& turn, NamedFailure cause = {});
  /// Continues with the delay or with the next incarnation, unless stopped children are still
  /// awaited.
  static void recreate_when_ready(Turn& turn);
  /// The actor has failed with a message whose router is told when it is handled: at the end of the
  /// episode, or when the message was given again.
  void owe_credit() noexcept { owes_credit_ = true; }
  // ---- the operator ----
  /// Restarts the actor for a reload or an order, as an all-for-one supervisor restarts a sibling
  /// that has not failed (83): this adds one suspension, and the end of the restart takes it back.
  /// Suspensions by a failure of the actor or of its parent are counted besides and last until
  /// their own verdict. `pending_ack` is released at the end of the restart, of a persistent actor
  /// when it has recovered.
  static void restart_by_operator(Turn& turn, FailurePtr cause, PendingAck pending_ack);
  /// Releases it if the actor recovers no more.
  static void end_order(Turn& turn);
  /// The cause of such a restart. It is no failure, and has no id.
  static FailurePtr operator_cause(Turn& turn, std::span<const actord_str> types,
                                   std::string_view what);
  /// Suspends the actor and all below it, until release(). It is one suspension more, which
  /// failures, verdicts and restarts leave alone. False: it was held before.
  static bool hold(Turn& turn);
  /// False: it was not held.
  static bool release(Turn& turn);

  /// Ends the episode: destroys the failed message, which was readable until now, or puts it back
  /// into the mailbox (redelivery.hpp), and clears the actor's fail state.
  static void end_episode(Turn& turn);

  /// Whether this is the failure of the present episode: the actor has failed or escalated it.
  bool has_reported(const Failure& failure) const noexcept {
    return failure_id_ != 0 && failure_id_ == failure.id;
  }
  /// The message that the actor handled when it failed; null if none. Constant during the episode.
  Envelope* failed_message() const noexcept { return message_; }
  /// The child that its own failure has suspended, or the actor itself; `nobody` outside an
  /// episode.
  Ref perpetrator() const noexcept { return perpetrator_.ref; }
  /// Whether an operator has suspended the actor.
  bool is_held() const noexcept { return is_held_; }
  /// When the back-off ends, by the executor's clock; only while it lasts.
  std::int64_t backoff_until_ns() const noexcept { return backoff_until_ns_; }
  /// Cancels the back-off timer, when the actor begins to stop during its back-off.
  void cancel_backoff(Turn& turn) { turn.thread().cancel(backoff_timer_); }

 private:
  /// Writes down the circumstances of a new failure: phase, actor, incarnation, message and sender.
  static void record_circumstances(Turn& turn, Failure& failure, Phase phase);
  /// Begins the episode: suspends the actor and its children except `perpetrator` and
  /// `not_to_suspend`, keeps the failed message, and reports to the parent.
  static void suspend_and_report(Turn& turn, FailurePtr failure, const Perpetrator& perpetrator,
                                 std::span<const Ref> not_to_suspend, bool is_fatal);
  /// Enters the stage `waiting`, without an instance, and continues when nothing is awaited any
  /// more.
  static void begin_recreation(Turn& turn, Stage waiting, FailurePtr cause, std::int64_t delay_ns,
                               bool is_collateral);
  /// The cause of the re-creation, as the log names it.
  NamedFailure named_cause() const noexcept { return {cause_.get(), is_cause_own_}; }
  /// Calls pre_restart, or what it is by default, and destroys the old instance.
  static void run_pre_restart(Turn& turn, const FailurePtr& cause, bool is_collateral);
  // The failed message is an ask. One that is given again is not answered yet.
  void note_question(Turn& turn, const FailurePtr& failure);
  // The failed message is given up: the ask fails with the failure, unless another actor may answer
  // it.
  void fail_question(Turn& turn) noexcept;
  // The episode ends: tells the router, unless `failed` is about to be given again.
  static void pay_credit(Turn& turn, Envelope* failed);
  static void stop_children_of_failed_attempt(Turn& turn, const FailurePtr& cause);
  /// Enters the stage backing_off and starts its timer. Until that fires, a mailbox that is not
  /// bounded takes at most Failure::backoff_capacity messages.
  static void start_backoff(Turn& turn);
  /// Logs and publishes that the actor has started.
  static void tell_start(Turn& turn, NamedFailure cause);
  /// Tells the system that a configured actor is up.
  static void tell_up(Turn& turn);
  /// As tell_start() for an actor of the configuration, whose children start then.
  static void start_configured(Turn& turn, NamedFailure cause);
  /// Instead of the first attempt: the actor fails with the crash of an earlier process.
  static void fail_with_crash(Turn& turn);
  /// Makes the first incarnation again.
  static void finish_creation(Turn& turn);
  /// Makes the next incarnation, and then restarts the kept children.
  static void finish_recreation(Turn& turn);
  /// The constructor or post_restart of the next incarnation has failed: the actor fails fatally.
  static void fail_recreation(Turn& turn, FailurePtr failure, Phase phase, const FailurePtr& cause,
                              std::span<const Ref> survivors);

  Perpetrator perpetrator_;
  std::uint64_t failure_id_ = 0;  // of the failure that it has reported; 0 outside an episode
  Envelope* message_ = nullptr;
  FailurePtr answer_;  // to that message, if it is an ask that may fail with its handler
  // A re-creation that waits for stopped children or for its delay:
  FailurePtr cause_;
  std::int64_t delay_ns_ = 0;
  bool is_cause_own_ = false;  // the actor itself has reported it
  std::uint64_t backoff_token_ = 0, last_token_ = 0;
  sched::TimerHandle backoff_timer_;
  std::int64_t backoff_until_ns_ = 0;  // when that fires
  PendingAck pending_ack_;             // ack of the reload or order that this restart is part of
  bool is_held_ = false;
  bool owes_credit_ = false;  // see owe_credit()
};

}  // namespace actord::actor
