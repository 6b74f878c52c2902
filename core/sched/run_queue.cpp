// SPDX-License-Identifier: Apache-2.0
#include "sched/run_queue.hpp"

#include <algorithm>
#include <array>

namespace actord::sched {

std::uint32_t RunQueue::push_newest(Task* task) {
  std::lock_guard lock(lock_);
  if (Task* const displaced = newest_.load(base::relaxed)) push_front(displaced);
  newest_.store(task, base::relaxed);
  return waiting();
}

void RunQueue::push_oldest(Task* task) {
  std::lock_guard lock(lock_);
  push_back(task);
}

Task* RunQueue::pop_newest() {
  if (is_empty()) return nullptr;
  std::lock_guard lock(lock_);
  if (Task* const task = newest_.load(base::relaxed)) {
    newest_.store(nullptr, base::relaxed);
    return task;
  }
  const std::uint32_t n = waiting();
  if (n == 0) return nullptr;
  Task* const task = ring_[head_];
  head_ = slot(1);
  waiting_.store(n - 1, base::relaxed);
  return task;
}

Task* RunQueue::pop_oldest() {
  if (is_empty()) return nullptr;
  std::lock_guard lock(lock_);
  return pop_back();
}

Task* RunQueue::steal_for(RunQueue& to, bool even_newest) {
  std::array<Task*, 64> taken;
  std::size_t n = 0;
  {
    std::lock_guard lock(lock_);
    const std::size_t half = std::min<std::size_t>((waiting() + 1) / 2, taken.size());
    while (n < half) taken[n++] = pop_back();
    if (n == 0 && even_newest) {
      if (Task* const task = newest_.exchange(nullptr, base::relaxed)) taken[n++] = task;
    }
  }
  if (n == 0) return nullptr;
  for (std::size_t i = 1; i < n; ++i)
    to.push_oldest(taken[n - i]);  // the oldest of them ends at the back
  return taken[0];
}

void RunQueue::push_front(Task* task) {
  const std::uint32_t n = waiting();
  if (n == ring_.size()) grow();
  head_ = (head_ + ring_.size() - 1) & (ring_.size() - 1);
  ring_[head_] = task;
  waiting_.store(n + 1, base::relaxed);
}

void RunQueue::push_back(Task* task) {
  const std::uint32_t n = waiting();
  if (n == ring_.size()) grow();
  ring_[slot(n)] = task;
  waiting_.store(n + 1, base::relaxed);
}

Task* RunQueue::pop_back() {
  const std::uint32_t n = waiting();
  if (n == 0) return nullptr;
  waiting_.store(n - 1, base::relaxed);
  return ring_[slot(n - 1)];
}

void RunQueue::grow() {
  std::vector<Task*> larger(ring_.size() * 2);
  for (std::uint32_t i = 0; i < waiting(); ++i) larger[i] = ring_[slot(i)];
  ring_ = std::move(larger);
  head_ = 0;
}

}  // namespace actord::sched
