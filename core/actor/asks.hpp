// SPDX-License-Identifier: Apache-2.0
//
// The pending asks of one actor, its graceful stops among them. An answer or a timeout carries the
// token of its ask, which is the ask's key in the table. If the token is unknown, the ask was
// answered, has timed out, or belonged to an earlier incarnation. Then the timeout is void, and the
// answer is undelivered (supervision.md 137, 160).
#pragma once

#include <string>

#include "actor/slot_table.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

struct Ask {
  actord_reply_handler handler;
  Ref target;
  message::TypeId question;  // type of the message that was sent; 0: a graceful stop
  sched::TimerHandle timeout = {};

  bool is_graceful_stop() const noexcept { return question == 0; }
};

/// Only the actor's own turn calls it.
class Asks {
 public:
  /// Sends `*question`, which is moved from. The handler is called once: with the answer, with a
  /// failure such as NoRecipient, or with AskTimeout after `timeout_ns`. It is not called if the
  /// incarnation ends before.
  void ask(Turn& turn, Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
           actord_reply_handler handler);
  /// A graceful stop: an ask whose answer is the Terminated of `who`. It watches `who` with a
  /// token, independently of any other watch. The caller stops `who`.
  void ask_for_end(Turn& turn, Ref who, std::int64_t timeout_ns, actord_reply_handler handler);
  bool is_waiting_for(std::uint64_t token) noexcept { return asks_.find(token) != nullptr; }

  /// Removes a pending ask that has been answered, and cancels its timeout.
  Ask take_answered(Turn& turn, std::uint64_t token) {
    const Ask ask = asks_.take(token);
    turn.thread().cancel(ask.timeout);
    return ask;
  }
  /// Removes a pending ask that has timed out. Ends the watch of a graceful stop.
  Ask take_timed_out(Turn& turn, std::uint64_t token);
  /// The failure that the handler of an ask that timed out receives.
  static FailurePtr timeout_failure(Turn& turn, const Ask& ask);
  /// Calls the ask's handler with the current message, or with `ask_failure` if that is not null.
  /// Returns the handler's own failure, or null.
  static FailurePtr complete(Turn& turn, const Ask& ask, const FailurePtr& ask_failure) {
    void* const instance = turn.cell().instance;
    ACTORD_ASSERT(instance != nullptr);  // an ask ends with the incarnation of its asker
    return turn.call_plugin([&](actord_context* context, actord_errors* errors) {
      if (!ask_failure) return ask.handler(instance, context, turn.message, nullptr, errors);
      const FailureView view(*ask_failure);
      return ask.handler(instance, context, nullptr, view.c(), errors);
    });
  }
  /// Called at the end of an incarnation: removes all pending asks.
  void cancel_all(Turn& turn) {
    if (!asks_.is_empty()) cancel_pending(turn);
  }

 private:
  void cancel_pending(Turn& turn);
  /// Stores a new pending ask, starts its timeout, and returns its token.
  std::uint64_t await(Turn& turn, Ask ask, std::int64_t timeout_ns);

  SlotTable<Ask> asks_;
};

}  // namespace actord::actor
