// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher for tasks that may block: one queue, and as many threads as the tasks need, up to a
// limit.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sched/executor.hpp"

namespace actord::sched {

/// A task that finds no sleeping thread starts another, up to threads_max. A thread beyond
/// threads_min ends when it has had no task for keep_alive. The thread that fell asleep last wakes
/// first, so that the others can end.
class BlockingPool final : public Dispatcher {
 public:
  BlockingPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks);
  ~BlockingPool() override { stop(); }

  void start() {}
  void stop();

  void inject(Task* task) override;
  void on_backlog(Worker&) override {}
  std::size_t waiting_for_thread() override;

 private:
  struct WorkerSlot {
    WorkerSlot(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    Worker worker;
    base::Parker parker;
    base::Thread thread;
    bool has_ended = false;
  };

  void add_thread();  // with `mutex_` held
  void loop(WorkerSlot& slot);
  Task* wait_for_task(WorkerSlot& slot);

  const Hooks hooks_;
  const DispatcherSettings settings_;
  base::Mutex mutex_;
  std::deque<Task*> tasks_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  std::vector<WorkerSlot*> sleepers_;  // parked and not woken yet
  unsigned alive_ = 0, last_index_ = 0;
  bool is_stopping_ = false;
};

}  // namespace actord::sched
