// SPDX-License-Identifier: Apache-2.0
//
// The messages on which an actor has failed and that it gets again (supervision.md 185), if
// `on-failure` is configured so.
//
// Such a message lies here, and the mailbox or the stash has its place: a tick that names the type
// of the message. So a message keeps the number of its attempts however often it is put back, and
// the path of all other messages does not know of this part.
#pragma once

#include <cstdint>
#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it.
class Redelivery {
 public:
  /// A message with the trace that it belongs to; its span_id is 0 if there is none.
  struct Taken {
    Envelope* message = nullptr;
    message::TraceContext trace = {};
  };

  /// Whether the envelope is the place of a message.
  static bool is_place(const Envelope& envelope) noexcept {
    return envelope.has(Envelope::tick) && envelope.type() != 0;
  }

  /// The actor has failed with the current message, which is kept: by the episode of the failure,
  /// or by the stash if it `is_stashed`. Does nothing if the message is not to be given again.
  /// Throws std::bad_alloc.
  static void note_failure(Turn& turn, const FailurePtr& failure, bool is_stashed);

  /// Whether the message of this episode is to be given again.
  bool wants_failed() const noexcept { return static_cast<bool>(failed_.failure); }
  /// The episode is over: puts its message before all that waits. Without memory for that the
  /// message is dropped.
  void put_back(Turn& turn, Envelope* message) noexcept;

  /// Whether the current message has failed before.
  bool counts_current() const noexcept { return current_.attempts != 0; }
  /// The current message goes into the stash: keeps it here, and returns its place.
  Envelope* place_of_current(Turn& turn, Envelope* message);

  /// Frees the place and returns its message, which is the current one until end_current(). Null:
  /// the message has had all its attempts, and is in the quarantine now.
  Taken take(Turn& turn, Envelope* place);
  void end_current() noexcept { current_ = {}; }
  /// The same at the end of the actor: the caller makes the message a dead letter.
  Envelope* take_unread(Turn& turn, Envelope* place);

 private:
  struct Record {
    std::uint32_t attempts = 0;  // that have failed, and that the message is to blame for
    FailurePtr failure;          // the last one
    message::TraceContext trace;
  };
  struct Waiting {
    std::uint64_t number;
    Envelope* message;
    Record record;
  };

  Envelope* keep(Turn& turn, Envelope* message, Record& record);
  Waiting take_waiting(Turn& turn, Envelope* place);
  // Puts the message into the quarantine if it has had all its attempts. Without memory for that
  // the message is dropped.
  static bool quarantine(Turn& turn, const Waiting& waiting) noexcept;

  Record current_;  // of the message that is being handled
  Record failed_;   // of the message of this episode; without a failure: there is none
  std::vector<Waiting> waiting_;
  std::uint64_t last_number_ = 0;
};

}  // namespace actord::actor
