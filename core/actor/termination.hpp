// SPDX-License-Identifier: Apache-2.0
//
// How an actor ends (supervision.md 132-136): it is suspended and its children are stopped; then
// post_stop runs, unread messages become dead letters, and the parent and the watchers are
// notified. No function here blocks. The end of the last child arrives as a system message.
#pragma once

#include <string>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it. The functions are static, because most actors that stop have
/// no CellExtras.
class Termination {
 public:
  /// Begins to stop the actor; finishes at once if it has no children. A further call during the
  /// wait for the children changes nothing. If a call fails for want of memory, the next one
  /// completes it.
  /// `by` is the actor that has asked for it; none: the parent, or no actor.
  static void terminate(Turn& turn, StopReason reason, FailurePtr failure, bool is_collateral,
                        Ref by);
  /// Ends the actor, which has no children left.
  static void finish(Turn& turn);
  /// Sends the parent the notice of the end, which lets it recycle the cell, and then sends the
  /// watchers theirs. Called after finish(), as the last step of the turn: the cell must not be
  /// touched afterwards. The order is part of the contract (131).
  static void notify_parent_and_watchers(Turn& turn);

 private:
  /// Cancels the actor's timers, asks and watches of others.
  static void cancel_outstanding(Turn& turn);
  /// Calls post_stop, unless the instance has had it or there is none.
  static void run_post_stop(Turn& turn);
  static void send_mail_to_dead_letters(Turn& turn);
  /// Writes the log lines of the end and publishes it to the subscribers of such events.
  static void log_and_publish_end(Turn& turn);
  static void log_configured_end(Turn& turn);

  NamedFailure named_failure() const noexcept { return {failure_.get(), is_own_}; }
  /// Keeps the failure that stops the actor for the line of the end.
  static void keep_failure(Turn& turn, FailurePtr failure, bool is_collateral);
  /// Keeps who stops the actor, which is a configured one.
  static void keep_stopper(Turn& turn, StopReason reason, Ref by);

  FailurePtr failure_;      // the failure that stops the actor; null: none
  bool is_own_ = false;     // the actor itself has reported it
  std::string stopped_by_;  // the path of the actor that stops it; empty: none, or not configured
};

}  // namespace actord::actor
