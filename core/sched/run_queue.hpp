// SPDX-License-Identifier: Apache-2.0
//
// The tasks one worker has to run. Its owner works newest first, which keeps a conversation or a
// tree of fresh actors in the cache; what yielded comes after that, in its order. Thieves take the
// oldest.
#pragma once

#include "base/biased_lock.hpp"
#include "sched/task_ring.hpp"

namespace actord::sched {

/// The lock costs its owner some 1 ns and a thief some 500. Everything can be stolen.
///
/// A task is in at most one queue, and there once. That is up to those who schedule; the queue
/// checks it where the task next to it is at hand.
class RunQueue {
 public:
  /// A thief takes no more at once.
  static constexpr std::uint32_t steal_all_max = 128;

  // ---- the owner ----
  /// Answers how many tasks wait behind the newest one if that has just become more, else 0.
  std::uint32_t push_newest(Task* task) {
    lock_.lock();
    std::uint32_t behind = 0;
    if (Task* const displaced = newest_.load(base::relaxed)) {
      ACTORD_ASSERT(displaced != task);
      fresh_.push_front(displaced);
      behind = count();
    }
    newest_.store(task, base::relaxed);
    lock_.unlock();
    return behind;
  }
  /// The same where it takes the least: there is no newest one, and no thief. Else false.
  bool try_push_newest(Task* task) {
    if (newest_.load(base::relaxed) != nullptr || !lock_.try_lock()) return false;
    newest_.store(task, base::relaxed);
    lock_.unlock();
    return true;
  }
  Task* pop_newest() {
    Task* const task = try_pop_newest();
    return task != nullptr ? task : pop_next();
  }
  /// The newest one where it takes the least; null also if a thief is in the way.
  Task* try_pop_newest() {
    if (newest_.load(base::relaxed) == nullptr || !lock_.try_lock()) return nullptr;
    Task* const task = newest_.load(base::relaxed);  // a thief may have been faster
    newest_.store(nullptr, base::relaxed);
    lock_.unlock();
    return task;
  }
  /// What has used up its slice: it comes after everything else, also what did so before.
  void push_yielded(Task* task);
  /// What comes after the one that would be next now.
  void push_second(Task* task);
  /// Who has waited longest: among those that have not run since they became runnable, or, if
  /// there is none, among those that yielded.
  Task* pop_oldest();
  /// The same the other way round. Neither answers the newest task.
  Task* pop_yielded();

  // ---- thieves ----
  enum class StealAmount {
    half,  // the older half of what waits, from one who works on
    all    // the newest task too, from one who is stuck
  };
  /// On the thread that owns `to`: moves that there, behind what it has. Answers one of them to run
  /// at once, or null.
  Task* steal_for(RunQueue& to, StealAmount amount);

  // ---- any thread, glances without the lock ----
  std::uint32_t waiting() const noexcept { return waiting_.load(base::relaxed); }
  bool is_empty() const noexcept {
    return newest_.load(base::relaxed) == nullptr && waiting() == 0;
  }

  /// Everything that waits here, while nobody else uses the queue; for checks.
  template <class Visit>
  void visit(Visit&& visit) const {
    if (const Task* const task = newest_.load(base::relaxed)) visit(task);
    for (std::uint32_t i = 0; i < fresh_.size(); ++i) visit(fresh_[i]);
    for (std::uint32_t i = 0; i < yielded_.size(); ++i) visit(yielded_[i]);
  }

 private:
  Task* pop_next();

  // With the lock held.
  std::uint32_t count() noexcept {
    const std::uint32_t n = fresh_.size() + yielded_.size();
    waiting_.store(n, base::relaxed);
    return n;
  }
  Task* pop_waiting() noexcept {
    Task* task = nullptr;
    if (fresh_.size() != 0) task = fresh_.pop_front();
    else if (yielded_.size() != 0) task = yielded_.pop_front();
    count();
    return task;
  }
  Task* take_oldest() noexcept;

  base::BiasedLock lock_;
  base::Atomic<std::uint32_t> waiting_{0};
  base::Atomic<Task*> newest_{nullptr};
  TaskRing fresh_;    // newest first
  TaskRing yielded_;  // in the order of their turns
};

}  // namespace actord::sched
