// SPDX-License-Identifier: Apache-2.0
//
// What an actor does about the limit of its own mailbox, and of one that it sends to
// (supervision.md 180y). Senders decide what becomes of a message that does not fit
// (ThreadState::admits_beyond_limit()); two of the answers have a second half:
// - drop-old: the sender has put the message into the mailbox all the same, and the receiver drops
//   the oldest ones before it takes the next.
// - wait: the same, and the sender orders itself to wait. It handles no user message until the
//   receiver tells it that there is room, until the receiver has ended, or until the timeout. So
//   two actors that wait for each other go on after the timeout at the latest, and an actor never
//   waits for itself.
#pragma once

#include <memory>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Whether more messages wait than the limit allows, and the oldest are to be dropped.
bool has_surplus(const Turn& turn) noexcept;
/// Whether the limit may cost that message: it is to this tenant, has not been in the stash, and is
/// no tick, no answer and no Terminated (supervision.md 130).
bool is_dispensable(const Turn& turn, const Envelope& envelope) noexcept;
/// Ends a message that was taken out of the mailbox, because it is one too many: a dead letter.
void drop_as_surplus(Turn& turn, Envelope* envelope);

/// Only the actor's own turn calls it.
class MailboxRoom {
 public:
  // ---- the receiver ----
  /// The actor has taken a message, and there is room for one more.
  void note_taken(Turn& turn) {
    if (parties_ != nullptr && !parties_->waiting.empty()) [[unlikely]]
      tell_if_there_is_room(turn);
  }
  /// `who` waits for room in this mailbox.
  void on_wanted(Turn& turn, Ref who);
  /// The actor ends: none waits for it any more.
  void release_all(Turn& turn);

  // ---- the sender ----
  /// The actor has found the mailbox of `receiver` full. It waits at most `timeout_ns`.
  void wait_for(Turn& turn, Ref receiver, std::int64_t timeout_ns);
  /// There is room in the mailbox of `receiver`, or it has ended; or, with a token, the wait has
  /// lasted too long.
  void on_room(Turn& turn, Ref receiver, std::uint64_t token);
  void end_wait(Turn& turn);

 private:
  struct Parties {
    std::vector<Ref> waiting;  // for room in this mailbox
    std::vector<Ref> awaited;  // whose mailboxes were full
    sched::TimerHandle timeout;
    std::uint64_t token = 0;  // of that timer
  };
  Parties& parties();
  void tell_if_there_is_room(Turn& turn);

  std::unique_ptr<Parties> parties_;  // most actors need none
};

}  // namespace actord::actor
