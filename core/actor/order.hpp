// SPDX-License-Identifier: Apache-2.0
//
// An operator's order to one actor: to pause, to go on, or to restart. A system message carries it
// (SystemMessage::order), so it is obeyed between two messages.
//
// Not here: how it is carried out (orders.hpp). A stop and a kill need no order of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "actor/pending_ack.hpp"

namespace actord::actor {

class Order final : public AwaitedRequest {
 public:
  enum class Kind : std::uint8_t {
    suspend,  // the actor and all below it handle no messages, until `resume`
    resume,   // ends that suspension, and no other
    // As an all-for-one supervisor restarts a sibling (supervision.md 83). If the actor waits for
    // its next incarnation, that is the restart.
    restart,
    trace  // the next `count` messages that reach a handler are logged; 0: no more of them
  };
  enum class Outcome : std::uint8_t {
    done,      // of a restart: it has ended, if only with a failure of the new incarnation
    needless,  // it was suspended by an order before; or it was not
    gone,      // the actor stops or has stopped
    no_memory
  };
  /// Called once, unless the system ends before: on any thread, which it must not block. It must
  /// not call the system.
  using Done = std::function<void(Outcome)>;

  Order(Kind kind_, std::string why_, Done done)
      : kind(kind_), why(std::move(why_)), done_(std::move(done)) {}

  /// The first call counts.
  void answer(Outcome outcome) {
    if (const Done done = std::exchange(done_, nullptr)) done(outcome);
  }

  void done(Ref) override { answer(Outcome::done); }
  void failed(Ref) noexcept override { answer(Outcome::no_memory); }

  const Kind kind;
  const std::string why;    // the text of the cause of a restart
  std::uint64_t count = 0;  // of messages to be traced; set before the order is given
  // The actor waited for its next incarnation when the order came.
  bool was_deferred = false;

 private:
  Done done_;  // used by the actor's turns only
};

}  // namespace actord::actor
