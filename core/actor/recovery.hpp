// SPDX-License-Identifier: Apache-2.0
//
// What a failure does to the actor that failed: it reports and waits, then resumes, restarts or is
// created anew as its supervisor decides (supervision.md 12-66). The supervisor's half stands in
// supervisor.hpp.
//
// The order of a restart: suspended with all descendants; pre_restart; the old instance destroyed;
// children that it stopped awaited; a delay if there is one; constructor, post_restart; surviving
// children restarted; mail resumed.
//
// An *episode* lasts from a failure, of this actor or of a child whose failure it escalated, to the
// end of its mending. Its state lies here.
#pragma once

#include <span>

#include "actor/reconfiguration.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it. The functions are static, because an actor without extras
/// can be suspended, resumed and told to restart, too.
class Recovery {
 public:
  // ---- failing ----
  /// The actor's own failure: suspends it and its children, and reports to its parent. While it has
  /// failed already, a second failure is not reported (14, 58, 65). `perpetrator`: a child whose
  /// own suspension stands for the failure; else the actor itself.
  static void fail(Turn& turn, FailurePtr failure, Phase phase, Ref perpetrator = nobody);
  /// A child's failure becomes this actor's own: its parent decides, and the child waits (4, 14).
  static void escalate(Turn& turn, FailurePtr failure, Ref child);
  /// What mends failures failed itself, for want of memory: the actor is stopped, by order, as this
  /// may be in the middle of anything (63).
  static void emergency_stop(Turn& turn) noexcept;

  // ---- what the supervisor orders ----
  static void suspend(Turn& turn);
  /// With a failure: the answer to this actor's failure. Without: it goes along with its parent,
  /// and if it has failed itself its own verdict is still to come.
  static void resume(Turn& turn, FailurePtr failure);
  static void recreate(Turn& turn, FailurePtr cause, std::int64_t delay_ns, bool is_collateral);
  static void on_backoff_over(Turn& turn, std::uint64_t token);

  /// The first incarnation, and each new attempt at it. If the creation fails, the actor fails.
  static void create(Turn& turn);
  /// Goes on with the next incarnation, unless stopped children are still awaited.
  static void recreate_when_ready(Turn& turn);
  /// For a reload, as an all-for-one supervisor restarts those that did not fail (83): suspended by
  /// no failure, with a cause, and released at the end. What a failure of its own or of its parent
  /// has suspended besides waits for that verdict. `pending_ack` is done with the restart.
  static void restart_for_reload(Turn& turn, FailurePtr cause, PendingAck pending_ack);

  /// The failing message has been readable until here; now it is destroyed, and the actor has no
  /// failure any more.
  static void end_episode(Turn& turn);

  /// The message that failed, const to everyone until the end of the episode; or null.
  Envelope* failed_message() const noexcept { return message_; }
  /// The child whose own suspension stands for the failure, or the actor itself; nobody outside an
  /// episode.
  Ref perpetrator() const noexcept { return perpetrator_; }
  /// The actor begins to stop while it waits for a delay.
  void cancel_backoff(Turn& turn) { turn.thread().cancel(backoff_timer_); }

 private:
  static void note_story(Turn& turn, Failure& failure, Phase phase);
  static void suspend_and_report(Turn& turn, FailurePtr failure, Ref perpetrator,
                                 std::span<const Ref> not_to_suspend, bool is_fatal);
  static void begin_recreation(Turn& turn, Stage waiting, FailurePtr cause, std::int64_t delay_ns,
                               bool is_collateral);
  static void run_pre_restart(Turn& turn, const Failure& cause, bool is_collateral);
  static void stop_children_of_failed_attempt(Turn& turn);
  static void start_backoff(Turn& turn);
  static void finish_creation(Turn& turn);
  static void finish_recreation(Turn& turn);
  static void fail_recreation(Turn& turn, FailurePtr failure, Phase phase, const FailurePtr& cause,
                              std::span<const Ref> survivors);

  Ref perpetrator_ = nobody;
  Envelope* message_ = nullptr;
  // A recreation that waits for children or for its delay.
  FailurePtr cause_;
  std::int64_t delay_ns_ = 0;
  bool is_collateral_ = false;
  std::uint64_t backoff_token_ = 0, last_token_ = 0;
  sched::TimerHandle backoff_timer_;
  PendingAck pending_ack_;  // of the reload that the recreation is for
};

}  // namespace actord::actor
