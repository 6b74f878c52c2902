// SPDX-License-Identifier: Apache-2.0
//
// Counts the messages that wait for actors. Only an actor itself can count them, since its mailbox
// is a list that it takes apart, so a system message asks it (SystemMessage::count). One whose
// handler does not return does not answer meanwhile.
#pragma once

#include <cstddef>
#include <vector>

#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"

namespace actord::actor {

class Turn;

/// One census: the actors that are asked answer in turns of their own, in any order.
struct Census final : Request {
  /// An actor stops counting there, so that a census does not hold up its messages for long.
  static constexpr std::size_t messages_max = 1'000'000;

  struct Count {
    Ref actor = nobody;
    std::size_t messages = 0;  // in the mailbox and in the stash
    bool has_more = false;     // there are more than messages_max
    message::TypeId type = 0;  // the most frequent one of those that were looked at; 0: none
    std::size_t of_type = 0, looked_at = 0;
  };

  /// Any thread. Leaves an answer out for want of memory.
  void add(const Count& count) noexcept;
  /// How many have answered. Any thread.
  std::size_t answers() const;
  /// The answers so far. Any thread.
  std::vector<Count> counts() const;

  std::vector<Ref> asked;  // set before the first message is sent

 private:
  mutable base::Mutex mutex_;
  std::vector<Count> counts_;
};

/// Counts the messages that wait for the turn's actor.
Census::Count count_messages(Turn& turn);
/// The same as an answer to a census.
void answer_census(Turn& turn, Census& census);

}  // namespace actord::actor
