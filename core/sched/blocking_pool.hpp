// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher for handlers that may block: one queue, and as many threads as it takes, within
// limits.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sched/executor.hpp"

namespace actord::sched {

/// A thread beyond threads_min that found nothing to do for keep_alive ends; the next backlog
/// starts another. Of those that sleep the last one wakes first, so that the others can end.
class BlockingPool final : public Dispatcher {
 public:
  BlockingPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks);
  ~BlockingPool() override { stop(); }

  void start() {}
  void stop();

  void inject(Task* task) override;
  void on_backlog(Worker&) override {}

 private:
  struct WorkerSlot {
    WorkerSlot(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    Worker worker;
    base::Parker parker;
    base::Thread thread;
    bool has_ended = false;
  };

  void add_thread();  // with the lock held
  void loop(WorkerSlot& slot);
  Task* wait_for_task(WorkerSlot& slot);

  const Hooks hooks_;
  const DispatcherSettings settings_;
  base::Mutex mutex_;
  std::deque<Task*> tasks_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  std::vector<WorkerSlot*> sleepers_;  // nobody has woken yet
  unsigned alive_ = 0, last_index_ = 0;
  bool is_stopping_ = false;
};

}  // namespace actord::sched
