// SPDX-License-Identifier: Apache-2.0
#include "system/schedule.hpp"

#include <algorithm>

#include "actor/token.hpp"
#include "base/assert.hpp"

namespace actord::system {

using message::Envelope;
using sched::TimerHandle;
using sched::TimerWheel;
namespace token = actor::token;

namespace {

// The thread that keeps the time has others to serve between two of them.
constexpr std::int64_t shortest_period_ns = 100'000;

// A number tells where the timer is: wheel | generation | node. That of a series is counted.
constexpr std::uint64_t series_bit = std::uint64_t{1} << 63;
constexpr int wheel_shift = TimerHandle::node_bits + TimerHandle::generation_bits;
constexpr std::size_t wheels_max = std::size_t{1} << (63 - wheel_shift);

std::uint64_t token_of(const Envelope* envelope) {
  return token::make(token::Kind::message, reinterpret_cast<std::uintptr_t>(envelope));
}

bool is_message(const sched::Timer& timer) {
  return token::kind_of(timer.token) == token::Kind::message;
}

}  // namespace

Schedule::Schedule(actor::Local& foreign)
    : foreign_(foreign), shared_(foreign.environment.executor.timers()), wheels_{&shared_} {}

std::uint64_t Schedule::add_once(actor::Local& local, actor::Ref to, std::int64_t delay_ns,
                                 message::TypeId type, void* message) {
  const std::int64_t due =
      local.now_ns() + std::clamp<std::int64_t>(delay_ns, 0, sched::longest_delay_ns);
  Envelope* const envelope = local.wrap(type, message, actor::nobody);
  TimerHandle timer;
  try {
    timer = local.timer_at(due, to, token_of(envelope));
  } catch (...) {  // there are as many timers as there can be
    local.discard(envelope);
    throw;
  }
  return std::uint64_t{timer.wheel->id} << wheel_shift |
         std::uint64_t{timer.generation} << TimerHandle::node_bits | timer.node;
}

std::uint64_t Schedule::add_series(actor::Ref to, const Rhythm& wanted, message::TypeId type,
                                   void* message) {
  Rhythm rhythm = wanted;
  rhythm.delay_ns = std::clamp<std::int64_t>(rhythm.delay_ns, 0, sched::longest_delay_ns);
  rhythm.period_ns = std::clamp(rhythm.period_ns, shortest_period_ns, sched::longest_delay_ns);
  const std::int64_t due = foreign_.now_ns() + rhythm.delay_ns;
  const std::uint64_t number = ++last_series_ | series_bit;
  Envelope* const pattern = foreign_.wrap(type, message, actor::nobody);
  try {
    arm(number, series_.try_emplace(number, Series{to, rhythm, due, pattern}).first->second);
  } catch (...) {
    series_.erase(number);
    foreign_.discard(pattern);
    throw;
  }
  return number;
}

void Schedule::arm(std::uint64_t number, Series& series) {
  series.timer = shared_.add(series.due_ns, actor::nobody,
                             token::make(token::Kind::series, number & ~series_bit));
}

bool Schedule::cancel(std::uint64_t number) {
  if ((number & series_bit) == 0) {
    const std::size_t wheel = number >> wheel_shift;
    if (wheel >= wheels_.size()) return false;
    const TimerHandle timer{wheels_[wheel],
                            static_cast<std::uint32_t>(number % (1u << TimerHandle::node_bits)),
                            static_cast<std::uint32_t>(number >> TimerHandle::node_bits) %
                                (1u << TimerHandle::generation_bits)};
    const auto cancelled = wheels_[wheel]->cancel_as_other(timer, &is_message);
    if (cancelled) foreign_.discard(envelope_of(*cancelled));
    return cancelled.has_value();
  }
  const auto found = series_.find(number);
  if (found == series_.end()) return false;
  shared_.cancel(found->second.timer);
  foreign_.discard(found->second.message);
  series_.erase(found);
  return true;
}

Envelope* Schedule::envelope_of(const sched::Timer& timer) {
  ACTORD_ASSERT(is_message(timer));
  return reinterpret_cast<Envelope*>(token::rest_of(timer.token));
}

void Schedule::fire_series(std::uint64_t token) {
  const std::uint64_t rest = token::rest_of(token), number = rest | series_bit;
  ACTORD_ASSERT(rest != 0 && rest <= last_series_);  // the series was added
  const auto found = series_.find(number);
  if (found == series_.end()) return;  // cancelled while it was on its way here
  Series& series = found->second;
  ACTORD_ASSERT(series.due_ns <= foreign_.now_ns());  // a series is never early
  const bool goes_on = foreign_.is_taking_mail(series.to) &&
                       foreign_.tell_copy(series.to, series.message->type(),
                                          series.message->payload(), actor::nobody);
  if (!goes_on) {
    foreign_.discard(series.message);
    series_.erase(found);
    return;
  }
  const std::int64_t since = series.rhythm.is_fixed_rate ? series.due_ns : foreign_.now_ns();
  series.due_ns = since + series.rhythm.period_ns;
  arm(number, series);
}

void Schedule::clear() {
  while (!series_.empty()) cancel(series_.begin()->first);
  for (TimerWheel* const wheel : wheels_) {
    for (const sched::Timer& timer : wheel->extract_as_other(&is_message))
      foreign_.discard(envelope_of(timer));
  }
}

// One too many has no number, and shares.
void Schedule::add_wheel(TimerWheel& wheel) {
  ACTORD_ASSERT(std::ranges::find(wheels_, &wheel) == wheels_.end());
  if (wheels_.size() == wheels_max) return;
  wheel.id = static_cast<std::uint16_t>(wheels_.size());
  wheels_.push_back(&wheel);
}

std::size_t Schedule::timers() const {
  std::size_t sum = 0;
  for (const TimerWheel* const wheel : wheels_) sum += wheel->size();
  return sum;
}

}  // namespace actord::system
