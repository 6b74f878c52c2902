// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher that gives each task a thread of its own, for tasks that use resources bound to a
// thread, or that must not wait for other tasks.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sched/executor.hpp"

namespace actord::sched {

/// A task's thread starts when the task first becomes runnable and ends when the task is retired.
/// If the process may have no more threads, the task shares the thread with the fewest tasks, or
/// waits until it can have one if there is none.
class PinnedPool final : public Dispatcher {
 public:
  PinnedPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks);
  ~PinnedPool() override { stop(); }

  void start() {}
  void stop();

  void inject(Task* task) override;
  void on_backlog(Worker&) override {}
  void retire(Task* task) override;
  std::size_t waiting_for_thread() override;

 private:
  struct WorkerSlot {
    WorkerSlot(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    Worker worker;
    base::Condition wake;
    std::deque<Task*> tasks;    // runnable; more than one only if tasks share the thread
    unsigned pinned_tasks = 0;  // assigned, not retired; 0: the thread ends
    base::Thread thread;        // not joinable: it could not be started yet
    bool has_ended = false;
  };

  // The next four are called with `mutex_` held. slot_of() and add_slot() start threads.
  static bool is_queued(const WorkerSlot& slot, const Task* task);
  WorkerSlot* slot_of(Task* task);
  WorkerSlot* add_slot();
  // False: the process may have no more threads.
  bool start(WorkerSlot& slot);
  void loop(WorkerSlot& slot);
  Task* wait_for_task(WorkerSlot& slot);

  const Hooks hooks_;
  const DispatcherSettings settings_;
  base::Mutex mutex_;
  std::unordered_map<const Task*, WorkerSlot*> slot_of_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  unsigned last_index_ = 0;
  bool is_stopping_ = false;
};

}  // namespace actord::sched
