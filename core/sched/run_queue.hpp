// SPDX-License-Identifier: Apache-2.0
//
// The runnable tasks of one worker. The owner runs the newest task first, so that actors that
// exchange messages, or a tree of new actors, stay in the cache. Tasks that yielded come after all
// others, in the order in which they yielded. Thieves take the oldest tasks.
#pragma once

#include "base/biased_lock.hpp"
#include "sched/task_ring.hpp"

namespace actord::sched {

/// The lock costs its owner some 1 ns and a thief some 500. Every task can be stolen.
///
/// A task is in at most one queue, and there once. The caller of a push ensures this; the push
/// asserts it only for the neighbouring task.
class RunQueue {
 public:
  /// The most tasks that one steal takes.
  static constexpr std::uint32_t steal_max = 128;

  // ---- the owner ----
  /// Makes `task` the newest one. If there was a newest task already, that one becomes the first of
  /// the waiting tasks, and their number is returned; else 0.
  std::uint32_t push_newest(Task* task) {
    lock_.lock();
    std::uint32_t behind = 0;
    if (Task* const displaced = newest_.load(base::relaxed)) {
      ACTORD_ASSERT(displaced != task);
      fresh_.push_front(displaced);
      behind = publish_waiting();
    }
    newest_.store(task, base::relaxed);
    lock_.unlock();
    return behind;
  }
  /// Fast path of push_newest(). False, without effect: there is a newest task already, or a thief
  /// holds the lock.
  bool try_push_newest(Task* task) {
    if (newest_.load(base::relaxed) != nullptr || !lock_.try_lock()) return false;
    newest_.store(task, base::relaxed);
    lock_.unlock();
    return true;
  }
  /// The newest task, else the newest that waits, else the one that yielded first. Null: empty.
  Task* pop_newest() {
    Task* const task = try_pop_newest();
    return task != nullptr ? task : pop_next();
  }
  /// Fast path of pop_newest(). Null: there is no newest task, or a thief holds the lock.
  Task* try_pop_newest() {
    if (newest_.load(base::relaxed) == nullptr || !lock_.try_lock()) return nullptr;
    Task* const task = newest_.load(base::relaxed);  // a thief may have been faster
    newest_.store(nullptr, base::relaxed);
    lock_.unlock();
    return task;
  }
  /// Queues a task that has used up its slice: it runs after all others, also after those that
  /// yielded before.
  void push_yielded(Task* task);
  /// Queues `task` directly behind the one that would run next now.
  void push_second(Task* task);
  /// The task that has waited longest, apart from those that yielded; if there is none, the one
  /// that yielded first. Never the newest task.
  Task* pop_oldest();
  /// The task that yielded first, or, if none has yielded, that of pop_oldest().
  Task* pop_yielded();

  // ---- thieves ----
  enum class StealAmount {
    half,  // the older half of the waiting tasks
    all    // all waiting tasks and the newest one, from a victim that is stuck in a task
  };
  /// Called by the thief, which owns `to`. Returns the first stolen task, to be run at once, and
  /// moves the others to the end of `to`. Null: there was no task, or the lock was not free.
  Task* steal_for(RunQueue& to, StealAmount amount);

  // ---- any thread, without the lock ----
  /// Tasks behind the newest one; exact under the lock, else possibly out of date.
  std::uint32_t waiting() const noexcept { return waiting_.load(base::relaxed); }
  bool is_empty() const noexcept {
    return newest_.load(base::relaxed) == nullptr && waiting() == 0;
  }

  /// Calls visit(task) for every task here, while no other thread uses the queue; for checks.
  template <class Visit>
  void visit(Visit&& visit) const {
    if (const Task* const task = newest_.load(base::relaxed)) visit(task);
    for (std::uint32_t i = 0; i < fresh_.size(); ++i) visit(fresh_[i]);
    for (std::uint32_t i = 0; i < yielded_.size(); ++i) visit(yielded_[i]);
  }

 private:
  Task* pop_next();

  // The functions from here on are called with the lock held.
  // Makes waiting() count the present tasks; returns that count.
  std::uint32_t publish_waiting() noexcept {
    const std::uint32_t n = fresh_.size() + yielded_.size();
    waiting_.store(n, base::relaxed);
    return n;
  }
  Task* pop_waiting() noexcept {
    Task* task = nullptr;
    if (fresh_.size() != 0) task = fresh_.pop_front();
    else if (yielded_.size() != 0) task = yielded_.pop_front();
    publish_waiting();
    return task;
  }
  Task* take_oldest() noexcept;

  base::BiasedLock lock_;
  base::Atomic<std::uint32_t> waiting_{0};
  base::Atomic<Task*> newest_{nullptr};
  TaskRing fresh_;    // of push_newest() and push_second(); newest first
  TaskRing yielded_;  // of push_yielded(); oldest first
};

}  // namespace actord::sched
