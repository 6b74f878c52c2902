// SPDX-License-Identifier: Apache-2.0
//
// The tasks one worker has to run. Its owner works newest first at the front, which keeps a
// conversation or a tree of fresh actors in the cache; what yielded goes to the back, where thieves
// take the oldest.
#pragma once

#include <vector>

#include "base/sync.hpp"
#include "sched/task.hpp"

namespace actord::sched {

class RunQueue {
 public:
  RunQueue() : ring_(64) {}

  /// Owner. Answers how many tasks wait behind the newest one.
  std::uint32_t push_newest(Task* task);
  /// Owner and thieves.
  void push_oldest(Task* task);
  Task* pop_newest();
  Task* pop_oldest();

  /// Any thread; moves the oldest half of this queue, at most 64 tasks, to `to`. The newest task
  /// goes too if `even_newest` and it is alone. Answers one of them to run at once, or null.
  Task* steal_for(RunQueue& to, bool even_newest);

  /// Everything that waits here, while nobody else uses the queue; for checks.
  template <class Visit>
  void visit(Visit&& visit) const {
    if (const Task* const task = newest_.load(base::relaxed)) visit(task);
    for (std::uint32_t i = 0; i < waiting(); ++i) visit(ring_[slot(i)]);
  }

  /// Any thread; a glance without the lock.
  std::uint32_t waiting() const noexcept { return waiting_.load(base::relaxed); }
  bool is_empty() const noexcept { return waiting() == 0 && !newest_.load(base::relaxed); }

 private:
  void push_front(Task* task);
  void push_back(Task* task);
  Task* pop_back();
  void grow();
  std::size_t slot(std::uint32_t i) const { return (head_ + i) & (ring_.size() - 1); }

  base::SpinLock lock_;
  base::Atomic<Task*> newest_{nullptr};
  std::vector<Task*> ring_;  // a power of two; [head_, head_ + waiting_), newest first
  std::size_t head_ = 0;
  base::Atomic<std::uint32_t> waiting_{0};
};

}  // namespace actord::sched
