// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher of threads that share work: each has its own queue, idle ones steal what is worth a
// transfer and then sleep on their parker.
//
// Waking is by these rules. Who injects from outside wakes one sleeper: it publishes the task, then
// reads the idle mask; a sleeper publishes its idle bit, then looks for tasks (both sequentially
// consistent, so one of them sees the other). A worker that pushes on its own queue only glances at
// the mask: a sleeper beside a running worker wakes by itself every millisecond to watch it, and
// one that sleeps without limit knows that nobody runs. So whoever is woken and finds a task wakes
// another one to watch, at the latest when it pushes on its own queue.
#pragma once

#include <deque>
#include <memory>

#include "sched/executor.hpp"

namespace actord::sched {

class ThreadPool final : public Dispatcher {
 public:
  ThreadPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks);
  ~ThreadPool() override { stop(); }

  void start();
  void stop();

  void inject(Task* task) override;
  void on_backlog(Worker& worker, std::uint32_t waiting) override;

 private:
  struct Seat {
    Seat(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    Worker worker;
    base::Parker parker;
    base::Thread thread;
  };
  // What an idle worker remembers of the others between two looks.
  struct Glance {
    std::uint64_t runs = 0;
  };

  void loop(Seat& seat);
  Task* next(Seat& seat);
  Task* pop_injected();
  Task* wait_for_task(Seat& seat, std::vector<Glance>& glances);
  Task* look_at_others(Seat& seat, std::vector<Glance>& glances, std::int64_t since_ns);
  void sleep(Seat& seat);
  void replace_watcher(Seat& seat);
  bool wake_one();
  bool has_work() const;

  const Hooks hooks_;
  std::vector<std::unique_ptr<Seat>> seats_;
  base::Atomic<std::uint64_t> idle_{0};  // a bit per sleeping seat
  base::Atomic<std::uint32_t> running_{0};
  base::Atomic<bool> is_stopping_{false};
  base::Atomic<std::uint32_t> injected_count_{0};
  base::Mutex injected_mutex_;
  std::deque<Task*> injected_;
};

}  // namespace actord::sched
