// SPDX-License-Identifier: Apache-2.0
//
// The timers of one actor and its receive timeout. A timer that is due sends a tick, which carries
// the timer's token. If the token is unknown when the tick arrives, the timer was cancelled or
// replaced, or belonged to an earlier incarnation, and the tick is void (supervision.md 159, 160).
//
// fire() and fire_receive_timeout() return the envelope that is due; the caller dispatches it.
#pragma once

#include <string_view>

#include "actor/timer_table.hpp"
#include "actor/token.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it.
class ActorTimers {
 public:
  /// Sends `*message`, which is moved from, to this actor after `delay_ns`, and then every
  /// `period_ns` unless that is 0. Replaces a timer with the same key. Starts none, and does not
  /// take the message, if the plugin has as many timers as it may.
  void start(Turn& turn, std::string_view key, std::int64_t delay_ns, std::int64_t period_ns,
             bool is_fixed_rate, message::TypeId type, void* message);
  void cancel(Turn& turn, std::string_view key) {
    if (!timers_.is_empty()) cancel_named(turn, {key});
  }
  bool has(std::string_view key) noexcept {
    return !timers_.is_empty() && timers_.named({key}) != TimerTable::none;
  }
  /// Calls visit(const ActorTimer&) for each timer with a key, in any order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    timers_.for_each(visit);
  }
  /// 0: there is none.
  std::int64_t receive_timeout_ns() const noexcept { return receive_timeout_ns_; }
  /// Sets the receive timeout to `ns`, measured from now; 0 ends it.
  void set_receive_timeout(Turn& turn, std::int64_t ns);

  /// The type of the message of the timer with that number; 0: there is none.
  message::TypeId type_of(std::uint64_t number) noexcept {
    const ActorTimer* const timer = timers_.find(number);
    return timer != nullptr ? timer->message->type() : 0;
  }
  /// Handles a tick of the timer with that number. Returns the envelope to be dispatched. Returns
  /// null if the tick is void, or if the message could not be copied, which ends the timer (163).
  Envelope* fire(Turn& turn, std::uint64_t number);
  /// Handles a tick of the receive timeout. Returns the envelope to be dispatched, or null if the
  /// actor was active meanwhile or the token is void. Unless the token is void, the timer re-arms
  /// itself; messages only update `last_activity_ns_`.
  Envelope* fire_receive_timeout(Turn& turn, std::uint64_t token);
  /// Called before the current message reaches its handler. Reads the clock only if the actor has a
  /// receive timeout.
  void note_message(Turn& turn) {
    if (receive_timeout_ns_ != 0) [[unlikely]]
      note_activity(turn);
  }
  /// Called before the answer to an ask, or its failure, reaches the reply handler.
  void note_answer(Turn& turn) {
    if (receive_timeout_ns_ != 0) last_activity_ns_ = turn.thread().now_ns();
  }
  /// Called at the end of an incarnation: cancels all timers and the receive timeout.
  void cancel_all(Turn& turn) {
    if (!timers_.is_empty() || receive_timeout_ns_ != 0) cancel_pending(turn);
  }

 private:
  void cancel_named(Turn& turn, const TimerTable::HashedKey& key);
  /// The current message counts as activity, unless its type is exempt.
  void note_activity(Turn& turn);
  void cancel_pending(Turn& turn);
  /// Removes a timer.
  ActorTimer take(Turn& turn, std::uint64_t number) {
    ActorTimer timer = timers_.take(number);
    if (timer.is_counted) turn.uncount(PluginUsage::timers);
    return timer;
  }

  TimerTable timers_;
  std::int64_t receive_timeout_ns_ = 0;      // 0: none
  std::uint64_t receive_timeout_token_ = 0;  // ticks with another token are void
  std::uint64_t last_token_ = 0;             // number in the newest receive timeout's token
  sched::TimerHandle receive_timeout_timer_;
  std::int64_t last_activity_ns_ = 0;
};

}  // namespace actord::actor
