// SPDX-License-Identifier: Apache-2.0
#include "sched/timer_queue.hpp"

namespace actord::sched {

TimerQueue::Handle TimerQueue::add(std::int64_t due_ns, std::uint64_t owner, std::uint64_t token) {
  Handle handle{due_ns, 0};
  bool is_first;
  {
    std::lock_guard lock(mutex_);
    handle.number = ++last_number_;
    const auto at = entries_.insert({due_ns, handle.number, owner, token}).first;
    is_first = at == entries_.begin();
  }
  if (is_first) on_earlier_();
  return handle;
}

bool TimerQueue::cancel(Handle handle) {
  if (handle.number == 0) return false;
  std::lock_guard lock(mutex_);
  return entries_.erase({handle.due_ns, handle.number, 0, 0}) != 0;
}

std::optional<std::int64_t> TimerQueue::next_due() const {
  std::lock_guard lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  return entries_.begin()->due_ns;
}

std::optional<TimerQueue::Entry> TimerQueue::pop_due(std::int64_t now_ns) {
  std::lock_guard lock(mutex_);
  if (entries_.empty() || entries_.begin()->due_ns > now_ns) return std::nullopt;
  const Entry entry = *entries_.begin();
  entries_.erase(entries_.begin());
  return entry;
}

std::size_t TimerQueue::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace actord::sched
