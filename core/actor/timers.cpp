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
  const std::uint64_t token = next_token();
  const std::int64_t due = local_.now_ns() + std::max<std::int64_t>(delay_ns, 0);
  ActorTimer timer{
      std::string{key}, std::max<std::int64_t>(period_ns, 0), due, is_fixed_rate, envelope, {}};
  timer.handle = environment_.executor.timers().add(due, self, token);
  organs().timers.emplace(token, std::move(timer));
}

void Activation::cancel_timer(std::string_view key) {
  if (cell_.organs == nullptr) return;
  auto& timers = cell_.organs->timers;
  const auto found =
      std::ranges::find_if(timers, [&](const auto& timer) { return timer.second.key == key; });
  if (found == timers.end()) return;
  environment_.executor.timers().cancel(found->second.handle);
  local_.discard(found->second.message);
  timers.erase(found);
}

bool Activation::has_timer(std::string_view key) const {
  return cell_.organs != nullptr &&
         std::ranges::any_of(cell_.organs->timers,
                             [&](const auto& timer) { return timer.second.key == key; });
}

void Activation::receive_timeout(std::int64_t ns) {
  Organs& o = organs();
  environment_.executor.timers().cancel(o.receive_timeout_timer);
  o.receive_timeout_timer = {};
  o.receive_timeout_ns = std::max<std::int64_t>(ns, 0);
  if (o.receive_timeout_ns == 0) return;
  o.last_activity_ns = local_.now_ns();
  o.receive_timeout_token = next_token();
  o.receive_timeout_timer = environment_.executor.timers().add(
      o.last_activity_ns + o.receive_timeout_ns, self, o.receive_timeout_token);
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
  Organs& o = organs();
  sched::TimerQueue& queue = environment_.executor.timers();
  if (const auto found = o.timers.find(token); found != o.timers.end()) {
    ActorTimer& timer = found->second;
    Envelope* due = timer.message;
    if (timer.period_ns == 0) {
      o.timers.erase(found);
    } else {
      // supervision.md 163, 164: one that cannot be copied ends its timer; with a fixed delay there
      // is never a burst after a pause, with a fixed rate what was late is made up for.
      due = copy_of(*timer.message);
      if (due == nullptr) {
        local_.discard(timer.message);
        o.timers.erase(found);
        return;
      }
      timer.due_ns = (timer.is_fixed_rate ? timer.due_ns : local_.now_ns()) + timer.period_ns;
      timer.handle = queue.add(timer.due_ns, self, token);
    }
    ++local_.fates.sent;
    due->target_generation = generation_of(self);
    return dispatch(due);
  }
  if (const auto found = o.asks.find(token); found != o.asks.end()) {
    const Ask asked = std::move(found->second);
    o.asks.erase(found);
    if (asked.is_for_end) forget_end(local_, self, asked, token);
    return complete_ask(asked, nullptr,
                        builtin_failure({"actord::AskTimeout", "actord::Failure"},
                                        asked.question + ' ' + local_.path(asked.target) +
                                            (asked.is_for_end ? " did not come in time"
                                                              : " was not answered in time")));
  }
  if (token != o.receive_timeout_token || o.receive_timeout_ns == 0) return;
  const std::int64_t now = local_.now_ns();
  const bool is_silent = now - o.last_activity_ns >= o.receive_timeout_ns;
  const std::int64_t since = is_silent ? now : o.last_activity_ns;
  o.receive_timeout_timer = queue.add(since + o.receive_timeout_ns, self, token);
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
  sched::TimerQueue& queue = environment_.executor.timers();
  for (auto& [token, timer] : o.timers) {
    queue.cancel(timer.handle);
    local_.discard(timer.message);
  }
  o.timers.clear();
  for (auto& [token, asked] : o.asks) {
    queue.cancel(asked.timeout);
    if (asked.is_for_end) forget_end(local_, self, asked, token);
  }
  o.asks.clear();
  queue.cancel(o.receive_timeout_timer);
  o.receive_timeout_timer = {};
  o.receive_timeout_ns = 0;
  o.states.clear();
}

}  // namespace actord::actor
