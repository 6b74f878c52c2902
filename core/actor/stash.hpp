// SPDX-License-Identifier: Apache-2.0
//
// The messages that an actor has stashed (supervision.md 154-158). The current message moves into
// the stash after its handler has returned, because the handler may still read it. Unstashed
// messages go to the front of the messages already fetched from the mailbox, not through the
// mailbox word.
#pragma once

#include <string>

#include "actor/death_watch.hpp"
#include "actor/envelope_list.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it.
class Stash {
 public:
  struct Error {
    std::string what;
    bool is_overflow = false;
  };

  /// Stashes the current message. A stashed Terminated stays announced in `death_watch`. Fails if
  /// there is no message, or if it is stashed already, is the answer to an ask, or finds the stash
  /// full.
  base::Result<void, Error> add(Turn& turn, DeathWatch& death_watch);
  /// Keeps the current message, which the instance has not begun, for the next one; whatever room
  /// there is.
  void put_back(Turn& turn, DeathWatch& death_watch);
  /// Moves all stashed messages back to the front of the mailbox, in their order. If the current
  /// message has been stashed, this happens after its handler.
  void unstash_all(Turn& turn) { unstash(turn, INT64_MAX); }
  /// The same for the first `n` of them.
  void unstash(Turn& turn, std::int64_t n);
  /// Called after a handler: moves the current message into the stash if the handler has stashed
  /// it, and then carries out an unstash() that the handler has called since.
  void after_handler(Turn& turn) {
    if (is_pending_) move_pending(turn);
  }
  /// Whether the handler of the current message has stashed it.
  bool has_pending() const noexcept { return is_pending_; }
  /// How many messages it has.
  std::int64_t count() const noexcept { return count_; }
  /// Called at the end of the actor: returns the stashed messages, to become dead letters (134).
  Envelope* take_all() noexcept {
    ACTORD_ASSERT(!is_pending_);
    count_ = 0;
    return list_.take();
  }

 private:
  /// In messages; 0 or negative: no limit.
  static std::int64_t capacity_for(Turn& turn);
  void keep(Turn& turn, DeathWatch& death_watch);
  void move_pending(Turn& turn);

  EnvelopeList list_;
  std::int64_t count_ = 0;   // messages in the list, and the pending one
  bool is_pending_ = false;  // the current message moves into the list after its handler
  std::int64_t due_ = 0;     // so many messages are unstashed right after that
};

}  // namespace actord::actor
