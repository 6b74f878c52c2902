// SPDX-License-Identifier: Apache-2.0
#include "actor/actor_timers.hpp"

#include <algorithm>

namespace actord::actor {

void ActorTimers::start(Turn& turn, std::string_view key, std::int64_t delay_ns,
                        std::int64_t period_ns, bool is_fixed_rate, message::TypeId type,
                        void* message) {
  const TimerTable::HashedKey hashed{key};
  cancel_named(turn, hashed);
  const Turn::Counted counted = turn.count(PluginUsage::timers);
  if (counted == Turn::Counted::refused) return;
  ThreadState& thread = turn.thread();
  Envelope* const envelope = thread.take_block();
  message::fill(*envelope, type, turn.environment().types.at(type), message);
  envelope->sender = turn.self;
  const std::int64_t due = thread.now_ns() + std::max<std::int64_t>(delay_ns, 0);
  const bool is_counted = counted == Turn::Counted::yes;
  period_ns = std::max<std::int64_t>(period_ns, 0);
  const std::uint64_t number = timers_.add(
      {std::string{key}, period_ns, due, is_fixed_rate, is_counted, envelope, {}}, hashed.hash);
  timers_.find(number)->handle =
      thread.timer_at(due, turn.self, token::make(token::Kind::key, number));
}

void ActorTimers::cancel_named(Turn& turn, const TimerTable::HashedKey& key) {
  const std::uint64_t number = timers_.named(key);
  if (number == TimerTable::none) return;
  const ActorTimer timer = take(turn, number);
  turn.thread().cancel(timer.handle);
  turn.thread().discard(timer.message);
}

void ActorTimers::set_receive_timeout(Turn& turn, std::int64_t ns) {
  ThreadState& thread = turn.thread();
  thread.cancel(std::exchange(receive_timeout_timer_, {}));
  receive_timeout_ns_ = std::max<std::int64_t>(ns, 0);
  if (receive_timeout_ns_ == 0) return;
  last_activity_ns_ = thread.now_ns();
  receive_timeout_token_ = token::make(token::Kind::receive_timeout, ++last_token_);
  receive_timeout_timer_ =
      thread.timer_at(last_activity_ns_ + receive_timeout_ns_, turn.self, receive_timeout_token_);
}

Envelope* ActorTimers::fire(Turn& turn, std::uint64_t number) {
  ActorTimer* const timer = timers_.find(number);
  if (timer == nullptr) return nullptr;
  ACTORD_ASSERT(timer->message != nullptr);
  ThreadState& thread = turn.thread();
  Envelope* due = timer->message;
  if (timer->period_ns == 0) {
    take(turn, number);
  } else {
    // A timer with a fixed rate makes up for late ticks. A timer with a fixed delay does not, so
    // that no burst follows a pause (164).
    due = turn.copy_of(*timer->message);
    if (due == nullptr) {
      thread.discard(take(turn, number).message);
      return nullptr;
    }
    timer->due_ns = (timer->is_fixed_rate ? timer->due_ns : thread.now_ns()) + timer->period_ns;
    timer->handle =
        thread.timer_at(timer->due_ns, turn.self, token::make(token::Kind::key, number));
  }
  ++thread.counters.sent;
  due->target_generation = generation_of(turn.self);
  return due;
}

Envelope* ActorTimers::fire_receive_timeout(Turn& turn, std::uint64_t token) {
  if (token != receive_timeout_token_ || receive_timeout_ns_ == 0) return nullptr;
  ThreadState& thread = turn.thread();
  const std::int64_t now = thread.now_ns();
  const bool is_silent = now - last_activity_ns_ >= receive_timeout_ns_;
  const std::int64_t since = is_silent ? now : last_activity_ns_;
  receive_timeout_timer_ = thread.timer_at(since + receive_timeout_ns_, turn.self, token);
  if (!is_silent) return nullptr;
  last_activity_ns_ = now;
  Environment& environment = turn.environment();
  Envelope* const envelope = thread.take_block();
  const message::TypeId type = environment.builtin.receive_timeout;
  environment.construct_receive_timeout(
      message::prepare(*envelope, type, environment.types.at(type)), receive_timeout_ns_);
  envelope->sender = turn.self;
  envelope->target_generation = generation_of(turn.self);
  ++thread.counters.sent;
  return envelope;
}

void ActorTimers::note_activity(Turn& turn) {
  const Environment& environment = turn.environment();
  if (environment.types.at(turn.message_type).has(ACTORD_NO_ACTIVITY)) return;
  const message::TypeId type = environment.types.first_layout(turn.message_type);
  if (type != environment.builtin.receive_timeout) last_activity_ns_ = turn.thread().now_ns();
}

void ActorTimers::cancel_pending(Turn& turn) {
  ThreadState& thread = turn.thread();
  timers_.take_all([&](const ActorTimer& timer) {
    if (timer.is_counted) turn.uncount(PluginUsage::timers);
    thread.cancel(timer.handle);
    thread.discard(timer.message);
  });
  thread.cancel(std::exchange(receive_timeout_timer_, {}));
  receive_timeout_ns_ = 0;
}

}  // namespace actord::actor
