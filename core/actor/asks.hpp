// SPDX-License-Identifier: Apache-2.0
//
// The answers that one actor waits for: of asks, and of asks for another actor's end. An answer or
// a timeout carries the token of its ask, which is the key of its place here. One that is not known
// any more is for an ask that was answered, timed out or belonged to an earlier incarnation: such a
// timeout is void, and such an answer is undelivered (supervision.md 137, 160).
#pragma once

#include <string>

#include "actor/slot_table.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

struct Ask {
  actord_reply_handler handler;
  Ref target;
  message::TypeId question;  // 0: the target's end is awaited
  sched::TimerHandle timeout = {};

  bool is_for_end() const noexcept { return question == 0; }
};

/// Only the actor's own turn calls it.
class Asks {
 public:
  /// Sends `*question`, which is moved from. The handler is called once: with the answer, with the
  /// recipient's failure, or with AskTimeout after `timeout_ns`.
  void ask(Turn& turn, Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
           actord_reply_handler handler);
  /// An ask whose answer is the end of `who`: a watch with a token, beside any other watch. The
  /// caller stops `who`.
  void ask_for_end(Turn& turn, Ref who, std::int64_t timeout_ns, actord_reply_handler handler);
  bool is_waiting_for(std::uint64_t token) noexcept { return asks_.find(token) != nullptr; }

  /// Ends an ask that is waited for: an answer has come, and the timeout is cancelled.
  Ask take_answered(Turn& turn, std::uint64_t token) {
    const Ask ask = asks_.take(token);
    turn.thread().cancel(ask.timeout);
    return ask;
  }
  /// Ends an ask that is waited for: it has timed out.
  Ask take_overdue(Turn& turn, std::uint64_t token);
  /// What the handler of an ask that timed out is told.
  static FailurePtr overdue(Turn& turn, const Ask& ask);
  /// Calls the ask's handler with the message that the turn has lent, or with `refusal`. Answers
  /// the handler's failure.
  static FailurePtr complete(Turn& turn, const Ask& ask, const FailurePtr& refusal) {
    void* const instance = turn.cell().instance;
    ACTORD_ASSERT(instance != nullptr);  // asks end with the incarnation that asked
    return turn.call_plugin([&](actord_context* context, actord_errors* errors) {
      if (!refusal) return ask.handler(instance, context, turn.message, nullptr, errors);
      const FailureView view(*refusal);
      return ask.handler(instance, context, nullptr, view.c(), errors);
    });
  }
  /// The end of the incarnation.
  void void_all(Turn& turn) {
    if (!asks_.is_empty()) cancel_all(turn);
  }

 private:
  void cancel_all(Turn& turn);
  std::uint64_t await(Turn& turn, Ask ask, std::int64_t timeout_ns);

  SlotTable<Ask> asks_;
};

}  // namespace actord::actor
