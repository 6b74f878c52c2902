// SPDX-License-Identifier: Apache-2.0
#include "system/scheduler.hpp"

#include <algorithm>

#include "actor/token.hpp"
#include "base/assert.hpp"

namespace actord::system {

using message::Envelope;
using sched::TimerHandle;
using sched::TimerWheel;
namespace token = actor::token;

namespace {

// A shorter period would keep the clock thread from serving other timers.
constexpr std::int64_t shortest_period_ns = 100'000;

// The number of a single message is the place of its timer: wheel | generation | node. The number
// of a periodic message is a counter with the top bit set.
constexpr std::uint64_t periodic_bit = std::uint64_t{1} << 63;
constexpr int wheel_shift = TimerHandle::node_bits + TimerHandle::generation_bits;
constexpr std::size_t wheels_max = std::size_t{1} << (63 - wheel_shift);

std::uint64_t token_of(const Envelope* envelope) {
  return token::make(token::Kind::message, reinterpret_cast<std::uintptr_t>(envelope));
}

bool is_message(const sched::Timer& timer) {
  return token::kind_of(timer.token) == token::Kind::message;
}

}  // namespace

Scheduler::Scheduler(actor::ThreadState& external)
    : external_(external), shared_(external.environment.executor.timers()), wheels_{&shared_} {}

Scheduler::~Scheduler() { clear(); }

std::uint64_t Scheduler::add_once(actor::ThreadState& thread, actor::Ref to, std::int64_t delay_ns,
                                  message::TypeId type, void* message) {
  const std::int64_t due =
      thread.now_ns() + std::clamp<std::int64_t>(delay_ns, 0, sched::longest_delay_ns);
  Envelope* const envelope = thread.wrap(type, message, actor::nobody);
  TimerHandle timer;
  try {
    timer = thread.timer_at(due, to, token_of(envelope));
  } catch (...) {  // there is no room for one more timer
    thread.discard(envelope);
    throw;
  }
  return std::uint64_t{timer.wheel->id} << wheel_shift |
         std::uint64_t{timer.generation} << TimerHandle::node_bits | timer.node;
}

std::uint64_t Scheduler::add_periodic(actor::Ref to, const TimerSpec& wanted, message::TypeId type,
                                      void* message) {
  TimerSpec spec = wanted;
  spec.delay_ns = std::clamp<std::int64_t>(spec.delay_ns, 0, sched::longest_delay_ns);
  spec.period_ns = std::clamp(spec.period_ns, shortest_period_ns, sched::longest_delay_ns);
  const std::int64_t due = external_.now_ns() + spec.delay_ns;
  const std::uint64_t number = ++last_periodic_ | periodic_bit;
  Envelope* const prototype = external_.wrap(type, message, actor::nobody);
  try {
    arm(number,
        periodic_sends_.try_emplace(number, PeriodicSend{to, spec, due, prototype}).first->second);
  } catch (...) {
    periodic_sends_.erase(number);
    external_.discard(prototype);
    throw;
  }
  return number;
}

void Scheduler::arm(std::uint64_t number, PeriodicSend& periodic) {
  periodic.timer = shared_.add(periodic.due_ns, actor::nobody,
                               token::make(token::Kind::periodic, number & ~periodic_bit));
}

bool Scheduler::cancel(std::uint64_t number) {
  if ((number & periodic_bit) == 0) {
    const std::size_t wheel = number >> wheel_shift;
    if (wheel >= wheels_.size()) return false;
    const TimerHandle timer{wheels_[wheel],
                            static_cast<std::uint32_t>(number % (1u << TimerHandle::node_bits)),
                            static_cast<std::uint32_t>(number >> TimerHandle::node_bits) %
                                (1u << TimerHandle::generation_bits)};
    const auto cancelled = wheels_[wheel]->cancel_as_other(timer, &is_message);
    if (cancelled) external_.discard(envelope_of(*cancelled));
    return cancelled.has_value();
  }
  const auto found = periodic_sends_.find(number);
  if (found == periodic_sends_.end()) return false;
  shared_.cancel(found->second.timer);
  external_.discard(found->second.message);
  periodic_sends_.erase(found);
  return true;
}

Envelope* Scheduler::envelope_of(const sched::Timer& timer) {
  ACTORD_ASSERT(is_message(timer));
  return reinterpret_cast<Envelope*>(token::rest_of(timer.token));
}

void Scheduler::fire_periodic(std::uint64_t token) {
  const std::uint64_t rest = token::rest_of(token), number = rest | periodic_bit;
  ACTORD_ASSERT(rest != 0 && rest <= last_periodic_);  // the number was given out
  const auto found = periodic_sends_.find(number);
  if (found == periodic_sends_.end()) return;  // cancelled after its timer had fired
  PeriodicSend& periodic = found->second;
  ACTORD_ASSERT(periodic.due_ns <= external_.now_ns());  // a timer never fires early
  // To an ask it is sent once: there is no second answer.
  const bool is_answer = actor::is_answer_ref(periodic.to);
  const bool is_sent = (is_answer || external_.is_mailbox_open(periodic.to)) &&
                       external_.tell_copy(periodic.to, periodic.message->type(),
                                           periodic.message->payload(), actor::nobody);
  if (!is_sent || is_answer) {
    external_.discard(periodic.message);
    periodic_sends_.erase(found);
    return;
  }
  const std::int64_t since = periodic.spec.is_fixed_rate ? periodic.due_ns : external_.now_ns();
  periodic.due_ns = since + periodic.spec.period_ns;
  arm(number, periodic);
}

void Scheduler::clear() {
  while (!periodic_sends_.empty()) cancel(periodic_sends_.begin()->first);
  for (TimerWheel* const wheel : wheels_) {
    for (const sched::Timer& timer : wheel->extract_as_other(&is_message))
      external_.discard(envelope_of(timer));
  }
}

// A wheel beyond the limit keeps id 0, the id of the shared wheel. Its timers fire, but cancel(),
// clear() and timers() do not find them.
void Scheduler::add_wheel(TimerWheel& wheel) {
  ACTORD_ASSERT(std::ranges::find(wheels_, &wheel) == wheels_.end());
  if (wheels_.size() == wheels_max) return;
  wheel.id = static_cast<std::uint16_t>(wheels_.size());
  wheels_.push_back(&wheel);
}

std::size_t Scheduler::timers() const {
  std::size_t sum = 0;
  for (const TimerWheel* const wheel : wheels_) sum += wheel->size();
  return sum;
}

}  // namespace actord::system
