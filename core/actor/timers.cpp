// SPDX-License-Identifier: Apache-2.0
//
// Timers, the receive timeout, and what ends with an incarnation. A tick carries a token; one that
// is no longer known when it arrives was cancelled, replaced or meant for an earlier incarnation,
// and is void (supervision.md 159, 160).
#include <algorithm>

#include "actor/activation.hpp"

namespace actord::actor {

void Activation::start_timer(std::string_view key, std::int64_t delay_ns, std::int64_t period_ns,
                             bool is_fixed_rate, message::TypeId type, void* pattern) {
  cancel_timer(key);
  Envelope* const envelope = local_.take_block();
  message::fill(*envelope, type, environment_.types.at(type), pattern);
  envelope->sender = self;
  const std::int64_t due = local_.now_ns() + std::max<std::int64_t>(delay_ns, 0);
  TimerTable& timers = organs().timers;
  const std::uint64_t number = timers.add(
      {std::string{key}, std::max<std::int64_t>(period_ns, 0), due, is_fixed_rate, envelope, {}});
  timers.find(number)->handle = local_.timer_at(due, self, token::make(token::Kind::key, number));
}

void Activation::cancel_timer(std::string_view key) {
  if (cell_.organs == nullptr) return;
  TimerTable& timers = cell_.organs->timers;
  const std::uint64_t number = timers.named(key);
  if (number == TimerTable::none) return;
  const ActorTimer timer = timers.take(number);
  local_.cancel(timer.handle);
  local_.discard(timer.message);
}

bool Activation::has_timer(std::string_view key) const {
  return cell_.organs != nullptr && cell_.organs->timers.named(key) != TimerTable::none;
}

void Activation::receive_timeout(std::int64_t ns) {
  Organs& o = organs();
  local_.cancel(std::exchange(o.receive_timeout_timer, {}));
  o.receive_timeout_ns = std::max<std::int64_t>(ns, 0);
  if (o.receive_timeout_ns == 0) return;
  o.last_activity_ns = local_.now_ns();
  o.receive_timeout_token = next_token(token::Kind::silence);
  o.receive_timeout_timer =
      local_.timer_at(o.last_activity_ns + o.receive_timeout_ns, self, o.receive_timeout_token);
}

// Only an actor that asked for a receive timeout pays for the clock.
void Activation::note_activity() {
  Organs& o = *cell_.organs;
  if (o.receive_timeout_ns == 0 || environment_.types.at(message_type).has(ACTORD_NO_ACTIVITY))
    return;
  if (message_type != environment_.builtin.receive_timeout) o.last_activity_ns = local_.now_ns();
}

namespace {

// supervision.md 137: who no longer waits for an end no longer watches for it.
void forget_end(Local& local, Ref self, const Ask& asked, std::uint64_t token) {
  SystemBody body;
  body.subject = self;
  body.number = static_cast<std::int64_t>(token);
  local.order(asked.target, Order::unwatch, body);
}

}  // namespace

void Activation::on_tick(Envelope* tick) {
  const std::uint64_t token = tick->token();
  ++local_.fates.void_;
  lend(tick);
  finish(tick);
  switch (token::kind_of(token)) {
    case token::Kind::key: return on_timer(token::rest_of(token));
    case token::Kind::ask: return on_ask_timeout(token);
    default: return on_silence(token);
  }
}

void Activation::on_timer(std::uint64_t number) {
  TimerTable& timers = organs().timers;
  ActorTimer* const timer = timers.find(number);
  if (timer == nullptr) return;
  Envelope* due = timer->message;
  if (timer->period_ns == 0) {
    timers.take(number);
  } else {
    // supervision.md 163, 164: one that cannot be copied ends its timer; with a fixed delay there
    // is never a burst after a pause, with a fixed rate what was late is made up for.
    due = copy_of(*timer->message);
    if (due == nullptr) return local_.discard(timers.take(number).message);
    timer->due_ns = (timer->is_fixed_rate ? timer->due_ns : local_.now_ns()) + timer->period_ns;
    timer->handle = local_.timer_at(timer->due_ns, self, token::make(token::Kind::key, number));
  }
  ++local_.fates.sent;
  due->target_generation = generation_of(self);
  dispatch(due);
}

void Activation::on_ask_timeout(std::uint64_t token) {
  SlotTable<Ask>& asks = organs().asks;
  if (asks.find(token) == nullptr) return;
  const Ask asked = asks.take(token);
  const std::string whom = local_.path(asked.target);
  std::string what;
  if (asked.is_for_end()) {
    forget_end(local_, self, asked, token);
    what = "the end of " + whom + " did not come in time";
  } else {
    what = std::string{environment_.types.name(asked.question)} + " to " + whom +
           " was not answered in time";
  }
  complete_ask(asked, nullptr, builtin_failure(causes::ask_timeout, what));
}

// The timer goes on by itself; what came meanwhile has left the time of it.
void Activation::on_silence(std::uint64_t token) {
  Organs& o = organs();
  if (token != o.receive_timeout_token || o.receive_timeout_ns == 0) return;
  const std::int64_t now = local_.now_ns();
  const bool is_silent = now - o.last_activity_ns >= o.receive_timeout_ns;
  const std::int64_t since = is_silent ? now : o.last_activity_ns;
  o.receive_timeout_timer = local_.timer_at(since + o.receive_timeout_ns, self, token);
  if (!is_silent) return;
  o.last_activity_ns = now;
  Envelope* const envelope = local_.take_block();
  const message::TypeId type = environment_.builtin.receive_timeout;
  environment_.construct_receive_timeout(
      message::prepare(*envelope, type, environment_.types.at(type)), o.receive_timeout_ns);
  envelope->sender = self;
  envelope->target_generation = generation_of(self);
  ++local_.fates.sent;
  dispatch(envelope);
}

// Before pre_restart and post_stop, and after them: timers, asks, the receive timeout and become()
// belong to one incarnation.
void Activation::void_incarnation() {
  cell_.receive = &cell_.props->behaviour.initial();
  if (cell_.organs == nullptr) return;
  Organs& o = *cell_.organs;
  o.timers.take_all([&](const ActorTimer& timer) {
    local_.cancel(timer.handle);
    local_.discard(timer.message);
  });
  o.asks.take_all([&](std::uint64_t token, const Ask& asked) {
    local_.cancel(asked.timeout);
    if (asked.is_for_end()) forget_end(local_, self, asked, token);
  });
  local_.cancel(std::exchange(o.receive_timeout_timer, {}));
  o.receive_timeout_ns = 0;
  o.states.clear();
}

}  // namespace actord::actor
