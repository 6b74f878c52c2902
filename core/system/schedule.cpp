// SPDX-License-Identifier: Apache-2.0
#include "system/schedule.hpp"

#include <algorithm>

namespace actord::system {

namespace {
// The thread that keeps the time has others to serve between two of them.
constexpr std::int64_t shortest_period_ns = 100'000;
}  // namespace

std::uint64_t Schedule::add(actor::Ref to, const Rhythm& wanted, message::TypeId type,
                            void* message) {
  Rhythm rhythm = wanted;
  rhythm.delay_ns = std::clamp<std::int64_t>(rhythm.delay_ns, 0, sched::longest_delay_ns);
  if (rhythm.period_ns > 0)
    rhythm.period_ns = std::clamp(rhythm.period_ns, shortest_period_ns, sched::longest_delay_ns);
  message::Envelope* const envelope = local_.take_block();
  message::fill(*envelope, type, local_.environment.types.at(type), message);
  envelope->sender = actor::nobody;
  const std::uint64_t token = ++last_token_;
  Entry entry{to, rhythm, local_.now_ns() + rhythm.delay_ns, envelope, {}};
  arm(token, entries_.emplace(token, entry).first->second);
  return token;
}

void Schedule::arm(std::uint64_t token, Entry& entry) {
  entry.timer = local_.environment.executor.timers().add(entry.due_ns, actor::nobody, token);
}

bool Schedule::cancel(std::uint64_t token) {
  const auto found = entries_.find(token);
  if (found == entries_.end()) return false;
  local_.environment.executor.timers().cancel(found->second.timer);
  local_.discard(found->second.message);
  entries_.erase(found);
  return true;
}

void Schedule::fire(std::uint64_t token) {
  const auto found = entries_.find(token);
  if (found == entries_.end()) return;  // cancelled while it was on its way here
  Entry& entry = found->second;
  if (entry.rhythm.period_ns <= 0) {
    local_.push(entry.to, entry.message);
    entries_.erase(found);
    return;
  }
  const bool goes_on =
      local_.is_taking_mail(entry.to) &&
      local_.tell_copy(entry.to, entry.message->type(), entry.message->payload(), actor::nobody);
  if (!goes_on) {
    local_.discard(entry.message);
    entries_.erase(found);
    return;
  }
  entry.due_ns =
      (entry.rhythm.is_fixed_rate ? entry.due_ns : local_.now_ns()) + entry.rhythm.period_ns;
  arm(token, entry);
}

void Schedule::clear() {
  while (!entries_.empty()) cancel(entries_.begin()->first);
}

}  // namespace actord::system
