// SPDX-License-Identifier: Apache-2.0
#include "sched/run_queue.hpp"

#include <algorithm>
#include <array>

namespace actord::sched {

// Slow path of pop_newest(): there is no newest task, or a thief held the lock.
Task* RunQueue::pop_next() {
  if (is_empty()) return nullptr;
  std::lock_guard lock(lock_);
  Task* task = newest_.load(base::relaxed);
  if (task != nullptr) newest_.store(nullptr, base::relaxed);
  else task = pop_waiting();
  return task;
}

void RunQueue::push_second(Task* task) {
  lock_.lock();
  ACTORD_ASSERT(newest_.load(base::relaxed) != task);
  if (newest_.load(base::relaxed) == nullptr) newest_.store(pop_waiting(), base::relaxed);
  fresh_.push_front(task);
  publish_waiting();
  lock_.unlock();
}

void RunQueue::push_yielded(Task* task) {
  std::lock_guard lock(lock_);
  ACTORD_ASSERT(newest_.load(base::relaxed) != task);
  ACTORD_ASSERT(yielded_.size() == 0 || yielded_[yielded_.size() - 1] != task);
  yielded_.push_back(task);
  publish_waiting();
}

Task* RunQueue::pop_oldest() {
  if (waiting() == 0) return nullptr;
  std::lock_guard lock(lock_);
  return take_oldest();
}

Task* RunQueue::pop_yielded() {
  if (waiting() == 0) return nullptr;
  std::lock_guard lock(lock_);
  Task* const task = yielded_.size() != 0 ? yielded_.pop_front() : take_oldest();
  publish_waiting();
  return task;
}

Task* RunQueue::take_oldest() noexcept {
  Task* task = nullptr;
  if (fresh_.size() != 0) task = fresh_.pop_back();
  else if (yielded_.size() != 0) task = yielded_.pop_front();
  publish_waiting();
  return task;
}

Task* RunQueue::steal_for(RunQueue& to, StealAmount amount) {
  if (is_empty()) return nullptr;
  std::array<Task*, steal_max> taken;
  if (!lock_.try_lock_as_other()) return nullptr;
  ACTORD_ASSERT(waiting() == fresh_.size() + yielded_.size());  // exact while the lock is held
  std::uint32_t n = 0;
  const std::uint32_t wanted = amount == StealAmount::all ? waiting() : (waiting() + 1) / 2;
  while (n < std::min(wanted, steal_max)) taken[n++] = take_oldest();
  if (amount == StealAmount::all && n < steal_max) {
    if (Task* const task = newest_.load(base::relaxed)) taken[n++] = task;
    newest_.store(nullptr, base::relaxed);
  }
  lock_.unlock_as_other();
  for (std::uint32_t i = 1; i < n; ++i) to.push_yielded(taken[i]);
  return n != 0 ? taken[0] : nullptr;
}

}  // namespace actord::sched
