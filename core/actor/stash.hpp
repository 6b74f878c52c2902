// SPDX-License-Identifier: Apache-2.0
//
// The messages that an actor has put aside (supervision.md 154-158). The current message moves into
// the stash when its handler is done, because the handler may still read it; unstashed messages go
// to the front of what has been fetched, never through the mailbox word.
#pragma once

#include <string>

#include "actor/death_watch.hpp"
#include "actor/envelope_list.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it.
class Stash {
 public:
  struct Refusal {
    std::string what;
    bool is_overflow = false;
  };

  /// The current message is to be stashed. A stashed Terminated stays announced in `death_watch`.
  base::Result<void, Refusal> add(Turn& turn, DeathWatch& death_watch);
  /// All of it back to the mailbox, in its order; from within a handler that has stashed its
  /// message, when the handler is done.
  void unstash_all(Turn& turn);
  /// After a handler, before the message is finished: carries out what the handler left for later.
  void settle(Turn& turn) {
    if (is_pending_) move_pending(turn);
  }
  /// At the end of the actor, to become dead letters (134).
  Envelope* take_all() noexcept {
    ACTORD_ASSERT(!is_pending_);
    count_ = 0;
    return list_.take();
  }

 private:
  static std::int64_t capacity_for(Turn& turn);
  void move_pending(Turn& turn);

  EnvelopeList list_;
  std::int64_t count_ = 0;       // of the list, and the pending one
  bool is_pending_ = false;      // the current message is stashed when its handler is done
  bool is_unstash_due_ = false;  // and all of the stash goes back right after that
};

}  // namespace actord::actor
