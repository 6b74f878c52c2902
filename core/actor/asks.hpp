// SPDX-License-Identifier: Apache-2.0
//
// The pending asks of one actor, its graceful stops among them. An answer or a timeout carries the
// number of its ask as its token. If no pending ask has that number, the ask was answered, has
// timed out, or belonged to an earlier incarnation. Then the timeout is void, and the answer is
// undelivered (supervision.md 137, 160).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actor/ask_table.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

struct Ask {
  actord_reply_handler handler;
  Ref target;                // `nobody`: the actors that a path or pattern selected
  message::TypeId question;  // type of the message that was sent; 0: a graceful stop
  bool is_counted;           // in the usage of the plugin
  std::int64_t timeout_ns;
  sched::TimerHandle timeout = {};

  bool is_graceful_stop() const noexcept { return question == 0; }
};

/// Only the actor's own turn calls it.
class Asks {
 public:
  /// Sends `*question`, which is moved from. The handler is called once: with the answer, with a
  /// failure such as NoRecipient, or with AskTimeout after `timeout_ns`. It is not called if the
  /// incarnation ends before. Nothing is sent or taken if the plugin has as many asks as it may.
  void ask(Turn& turn, Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
           actord_reply_handler handler);
  /// A graceful stop: an ask whose answer is the Terminated of `who`. It watches `who` with a
  /// token, independently of any other watch. The caller stops `who`, unless false is returned: the
  /// plugin has as many asks as it may.
  bool ask_for_end(Turn& turn, Ref who, std::int64_t timeout_ns, actord_reply_handler handler);
  /// Sends the question to each actor that `paths` selects (selection.hpp), and returns their
  /// number. The first answer counts.
  std::size_t ask_selection(Turn& turn, std::string_view paths, message::TypeId type,
                            void* question, std::int64_t timeout_ns, actord_reply_handler handler);
  /// How many wait for their answers.
  std::size_t size() const noexcept { return asks_.size(); }
  bool is_waiting_for(std::uint64_t token) noexcept { return asks_.find(token) != nullptr; }
  /// Whether this tenant has had an ask with this token, which may be over.
  bool has_waited_for(std::uint64_t token) const noexcept { return asks_.has_given(token); }

  /// Removes a pending ask that has been answered, and cancels its timeout.
  [[gnu::always_inline]] Ask take_answered(Turn& turn, std::uint64_t token) {
    const Ask ask = take(turn, token);
    turn.thread().cancel(ask.timeout);
    if (ask.target == nobody) [[unlikely]]
      forget_pattern(token);
    return ask;
  }
  /// Removes a pending ask that has timed out. Ends the watch of a graceful stop.
  Ask take_timed_out(Turn& turn, std::uint64_t token);
  /// The failure that the handler of a pending ask receives if it times out.
  FailurePtr timeout_failure(Turn& turn, std::uint64_t token);
  /// Calls the ask's handler with the current message, or with `ask_failure` if that is not null.
  /// Returns the handler's own failure, or null.
  static FailurePtr complete(Turn& turn, const Ask& ask, const FailurePtr& ask_failure) {
    void* const instance = turn.cell().instance;
    ACTORD_ASSERT(instance != nullptr);  // an ask ends with the incarnation of its asker
    if (turn.cell().props->behaviour.remoting != nullptr) [[unlikely]]
      return complete_remotely(turn, ask, ask_failure);
    return turn.call_plugin([&](actord_context* context, actord_errors* errors) {
      if (!ask_failure) return ask.handler(instance, context, turn.message, nullptr, errors);
      const FailureView view = turn.view_of(*ask_failure);
      return ask.handler(instance, context, nullptr, view.c(), errors);
    });
  }
  /// Called at the end of an incarnation: removes all pending asks.
  void cancel_all(Turn& turn) {
    if (!asks_.is_empty()) cancel_pending(turn);
  }

 private:
  // complete() for an actor whose handlers are in a host process.
  static FailurePtr complete_remotely(Turn& turn, const Ask& ask, const FailurePtr& ask_failure);
  void cancel_pending(Turn& turn);
  void forget_pattern(std::uint64_t token);
  [[gnu::always_inline]] Ask take(Turn& turn, std::uint64_t token) {
    const Ask ask = asks_.take(token);
    if (ask.is_counted) [[unlikely]]
      turn.uncount(PluginUsage::asks);
    return ask;
  }
  /// Stores a new pending ask, starts its timeout, and returns its token; 0 if the plugin has as
  /// many asks as it may.
  std::uint64_t await(Turn& turn, Ask ask);

  AskTable<Ask> asks_;
  std::vector<std::pair<std::uint64_t, std::string>> patterns_;  // of the asks without a target
};

}  // namespace actord::actor
