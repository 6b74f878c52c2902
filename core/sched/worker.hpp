// SPDX-License-Identifier: Apache-2.0
//
// A worker: a run queue, a timer wheel and the state of the layer above. Its dispatcher drives it
// with a thread or from the simulator; the worker itself is the same in both cases.
#pragma once

#include <cstdint>

#include "sched/run_queue.hpp"
#include "sched/task.hpp"
#include "sched/timer_wheel.hpp"

namespace actord::sched {

class Worker;

/// A group of workers that run the tasks of one kind. A task remembers its dispatcher by the id.
class Dispatcher {
 public:
  explicit Dispatcher(std::uint16_t id) : id_(id) {}
  virtual ~Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  std::uint16_t id() const noexcept { return id_; }

  /// Any thread: queues a task that has become runnable, outside the queues of the workers.
  virtual void inject(Task* task) = 0;
  /// Called on the owner thread of `worker` when its queue has reached Worker::backlog_threshold.
  virtual void on_backlog(Worker& worker) = 0;
  /// Any thread: the present user of `task` will not schedule it again. The task object may be used
  /// again for something else.
  virtual void retire(Task*) {}
  /// Any thread: how many tasks wait because the dispatcher may have no more threads. Starts a
  /// thread that could not be started before. 0 in a dispatcher without such a limit.
  virtual std::size_t waiting_for_thread() { return 0; }
  /// Whether tasks scheduled on a worker are injected instead of put into the worker's own queue.
  bool is_shared() const noexcept { return is_shared_; }
  /// Whether the workers fire their own timers; else timers are set in Executor::timers().
  bool fires_timers() const noexcept { return fires_timers_; }
  /// Whether an idle worker calls Hooks::flush_stuck for a task that takes long on another worker.
  bool flushes_stuck() const noexcept { return flushes_stuck_; }

 protected:
  bool is_shared_ = false;
  bool fires_timers_ = false;
  bool flushes_stuck_ = false;

 private:
  const std::uint16_t id_;
};

/// "Owner" below is the thread that runs the worker's tasks.
class alignas(64) Worker {
 public:
  Worker(Dispatcher& home, unsigned index, Slice slice_)
      : slice(slice_), home_(home), index_(index), is_shared_(home.is_shared()) {}

  /// Owner: `task` has become runnable here and runs next.
  void schedule(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    if (!queue.try_push_newest(task)) return schedule_before_others(task);
    if (backlog_threshold == 0) [[unlikely]]
      home_.on_backlog(*this);
  }
  /// Owner: the running task has set a timer or buffered messages. If the task takes long, another
  /// worker has to fire the timer or send the messages. This wakes a worker for that if none
  /// watches the queues (thread_pool.hpp).
  void ensure_watcher() {
    if (backlog_threshold == 0) [[unlikely]]
      home_.on_backlog(*this);
  }
  /// Owner: `task` has used up its slice and runs after all other tasks.
  void schedule_last(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    queue.push_yielded(task);
  }
  /// Owner: `task` has used up its slice but has a large backlog, so it runs after one other task.
  void schedule_second(Task* task) {
    if (is_shared_) [[unlikely]]
      return home_.inject(task);
    queue.push_second(task);
  }

  /// Owner, in Hooks::run at the end of a task: the task that Hooks::run is to run next. Null:
  /// return to the dispatcher. (To return after every task would add a tenth to the cost of a short
  /// one.)
  Task* next_task() {
    if (runs_left <= 1) return nullptr;
    Task* const task = queue.try_pop_newest();
    if (task == nullptr) return nullptr;
    --runs_left;
    count_run();
    return task;
  }
  /// Owner: counts a task that has ended.
  void count_run() noexcept { runs.store(runs.load(base::relaxed) + 1, base::relaxed); }

  Dispatcher& home() const noexcept { return home_; }
  unsigned index() const noexcept { return index_; }

  RunQueue queue;
  base::Atomic<std::uint64_t> runs{0};  // tasks run so far; written by the owner
  /// Owner: a push calls Dispatcher::on_backlog() if at least so many tasks then wait behind the
  /// newest one; 0: every push does.
  std::uint32_t backlog_threshold = UINT32_MAX;
  /// Owner: tasks until Hooks::run has to return to the dispatcher; 0: after each task.
  std::uint32_t runs_left = 0;
  Slice slice;
  void* thread_state = nullptr;  // the result of Hooks::attach
  TimerWheel timers;             // used if Dispatcher::fires_timers()

 private:
  // Slow path of schedule(): there is a newest task already, or a thief holds the lock.
  [[gnu::noinline]] void schedule_before_others(Task* task) {
    if (queue.push_newest(task) >= backlog_threshold) [[unlikely]]
      home_.on_backlog(*this);
  }

  Dispatcher& home_;
  const unsigned index_;
  const bool is_shared_;
};

}  // namespace actord::sched
