// SPDX-License-Identifier: Apache-2.0
//
// One who runs tasks. What a worker does is the same everywhere; who drives it, a thread or the
// simulator, is its dispatcher's affair.
#pragma once

#include <cstdint>

#include "sched/run_queue.hpp"
#include "sched/task.hpp"
#include "sched/timer_wheel.hpp"

namespace actord::sched {

class Worker;

/// Workers that share work. The id is what tasks remember of where they belong.
class Dispatcher {
 public:
  explicit Dispatcher(std::uint16_t id) : id_(id) {}
  virtual ~Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  std::uint16_t id() const noexcept { return id_; }

  /// Any thread: `task` has become runnable, somewhere else.
  virtual void inject(Task* task) = 0;
  /// Owner thread of `worker`: as many tasks wait in its queue as it was to tell of, see
  /// Worker::tell_backlog_of.
  virtual void on_backlog(Worker& worker) = 0;
  /// Any thread: `task` is not going to run any more, unless it is used again for something else.
  virtual void retire(Task*) {}
  /// Whether tasks scheduled on a worker go to all of them at once, as where handlers may block.
  bool is_shared() const noexcept { return is_shared_; }
  /// Whether the workers fire their own timers; else those are set in Executor::timers().
  bool fires_timers() const noexcept { return fires_timers_; }
  /// Whether a task that goes on for long is relieved (Hooks::relieve) as soon as another worker
  /// has nothing else to do.
  bool relieves() const noexcept { return relieves_; }

 protected:
  bool is_shared_ = false;
  bool fires_timers_ = false;
  bool relieves_ = false;

 private:
  const std::uint16_t id_;
};

class alignas(64) Worker {
 public:
  Worker(Dispatcher& home, unsigned index, Slice slice_)
      : slice(slice_), home_(home), index_(index), is_shared_(home.is_shared()) {}

  /// Owner thread: `task` has become runnable, here. Its turn comes next.
  void schedule(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    if (!queue.try_push_newest(task)) return schedule_before_others(task);
    if (tell_backlog_of == 0) [[unlikely]]
      home_.on_backlog(*this);
  }
  /// Owner thread: it has set a timer, or its task keeps something back, for others to see to if
  /// this task should never end. Who runs with nobody watching has somebody woken.
  void leans_on_others() {
    if (tell_backlog_of == 0) [[unlikely]]
      home_.on_backlog(*this);
  }
  /// Owner thread: `task` has used up its slice; everybody else comes first.
  void schedule_last(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    queue.push_yielded(task);
  }
  /// Owner thread: the same for one that has to catch up: one other comes first.
  void schedule_second(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    queue.push_second(task);
  }

  /// Owner thread, in Hooks::run at the end of a task: another that it is to run, or null. The way
  /// back to the dispatcher and here again would be a tenth of all that a short task costs.
  Task* next_at_once() {
    if (picks_left <= 1) return nullptr;
    Task* const task = queue.try_pop_newest();
    if (task == nullptr) return nullptr;
    --picks_left;
    note_run();
    return task;
  }
  /// Owner thread: a task is over.
  void note_run() noexcept { runs.store(runs.load(base::relaxed) + 1, base::relaxed); }

  Dispatcher& home() const noexcept { return home_; }
  unsigned index() const noexcept { return index_; }

  RunQueue queue;
  base::Atomic<std::uint64_t> runs{0};  // tasks run so far; written by the owner
  /// Owner: how many tasks behind the newest one the dispatcher wants to hear of, at the push that
  /// makes them so many; 0: of any push.
  std::uint32_t tell_backlog_of = UINT32_MAX;
  /// Owner: tasks until the dispatcher wants to look around; 0: after each.
  std::uint32_t picks_left = 0;
  Slice slice;
  void* thread_state = nullptr;  // what Hooks::attach answered
  TimerWheel timers;             // its own, if its dispatcher fires them

 private:
  // Where there is a newest one already, or a thief in the way.
  [[gnu::noinline]] void schedule_before_others(Task* task) {
    if (queue.push_newest(task) >= tell_backlog_of) [[unlikely]]
      home_.on_backlog(*this);
  }

  Dispatcher& home_;
  const unsigned index_;
  const bool is_shared_;
};

}  // namespace actord::sched
