// SPDX-License-Identifier: Apache-2.0
//
// The way out (supervision.md 132-136): suspended, children first, then post_stop, then the mail to
// dead letters, then the parent is told, then the watchers. Nothing here waits: what it waits for
// comes as system mail.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it. The functions are static, because most actors that stop have
/// no extras.
class Termination {
 public:
  /// Begins to stop, and ends at once if there are no children. A second call is for the case that
  /// the first could not be finished for want of memory.
  static void terminate(Turn& turn, StopReason reason, FailurePtr failure, bool is_collateral);
  /// The last child is gone.
  static void finish(Turn& turn);
  /// After finish(), when nothing of the turn is left to be done: tells the parent, which recycles
  /// the cell, and then the watchers. The cell must not be touched afterwards. The order is part of
  /// the contract (131).
  static void tell_parent_and_watchers(Turn& turn);

 private:
  static void let_go_of_others(Turn& turn);
  static void run_post_stop(Turn& turn);
  static void send_mail_to_dead_letters(Turn& turn);
  static void tell_of_end(Turn& turn);

  FailurePtr failure_;  // what the actor is stopped for; null: for no failure
  bool is_collateral_ = false;
};

}  // namespace actord::actor
