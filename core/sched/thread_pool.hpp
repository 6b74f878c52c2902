// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher of threads that share work: each has its own queue, idle ones steal what is worth a
// transfer and then sleep.
//
// Sleeping. A sleeper sets its idle bit and then looks for injected tasks; whoever injects counts
// the task and then reads the idle bits, so one of them sees the other (the orders: at the
// members). Nobody tells a sleeper of what a worker pushes on its own queue, but for a glance at
// long queues now and then. Instead one of the sleepers is the watcher: it wakes by itself every
// millisecond, while anybody runs and for a few times after that, and looks at the queues. So a
// worker that begins to run after a time in which all slept has no watcher: it wakes one at its
// next push. Who finds work gives up the watch, and wakes another to take it over. A timer is no
// such surprise: a sleeper that is no watcher has an appointment a while after the first timer of
// another, so that whoever that timer wakes need wake nobody.
//
// Stealing is for work that has grown old: two looks at a worker show how long a task takes there,
// and so how long the last one will have to wait. Where it does not pay it is left off for a while.
#pragma once

#include <deque>
#include <memory>

#include "sched/executor.hpp"
#include "sched/steal_backoff.hpp"

namespace actord::sched {

class ThreadPool final : public Dispatcher {
 public:
  ThreadPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks);
  ~ThreadPool() override { stop(); }

  void start();
  void stop();

  void inject(Task* task) override;
  void on_backlog(Worker& worker) override;

  unsigned size() const noexcept { return static_cast<unsigned>(slots_.size()); }
  /// What its workers did so far, added up; for tests and figures.
  struct Counts {
    std::uint64_t steals = 0;  // that brought something
    std::uint64_t parks = 0;
    std::uint64_t wakes = 0;  // of others
  };
  Counts counts() const;

 private:
  // What was seen of another worker.
  struct VictimView {
    std::uint64_t runs = 0;
    std::uint32_t waiting = 0;
    bool has_tasks = false;  // waiting or newest
    std::int64_t at_ns = 0;
    std::int64_t since_ns = 0;     // what it runs now has been running
    std::int64_t patience_ns = 0;  // with that, between two steals
    std::int64_t relieved_ns = 0;  // when it last was
    StealBackoff backoff;
  };
  struct WorkerSlot {
    WorkerSlot(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    std::uint64_t bit() const noexcept { return std::uint64_t{1} << worker.index(); }

    Worker worker;
    // The owner's notes.
    std::uint32_t between_looks = 1;  // around; tasks
    std::int64_t looked_ns = 0, next_turn_ns = 0;
    unsigned turn = 0;
    std::int64_t next_wake_ns = 0, between_wakes_ns = 50'000, stolen_from_before_ns = 0;
    std::uint32_t spin_success = 512;  // of 1024: how often spinning found work, lately
    std::uint32_t spins_skipped = 0;
    unsigned quiet_watches = 0;
    std::int64_t fired_ns = 0;  // when it last fired timers
    bool has_slept = false, is_watcher = false, has_appointment = false;
    std::vector<VictimView> views;
    Steal steal;  // the last one, until all of it is done
    VictimView* stolen_from = nullptr;
    base::Atomic<std::uint64_t> steals{0}, parks{0}, wakes{0};
    alignas(64) base::Atomic<std::int64_t> stolen_from_ns{
        0};                               // when it was last stolen from; by thieves
    base::Mutex thread_state_mutex;       // of Worker::thread_state, for others and for its end
    base::Atomic<bool> is_called{false};  // by a worker with a long queue; by its waker
    base::Parker parker;
    base::Thread thread;
  };

  void loop(WorkerSlot& slot);
  static void set_thread_state(WorkerSlot& slot, void* thread_state);
  Task* look_further(WorkerSlot& slot);
  Task* look_around(WorkerSlot& slot);
  Task* take_turn(WorkerSlot& slot);
  Task* take_injected(WorkerSlot& slot);
  Task* wait_for_task(WorkerSlot& slot);
  Task* spin(WorkerSlot& slot);
  Task* look_at_others(WorkerSlot& slot, std::int64_t now_ns);
  Task* look_at(WorkerSlot& slot, WorkerSlot& victim, VictimView& view, std::int64_t now_ns);
  static void judge_steal(WorkerSlot& slot);
  void sleep(WorkerSlot& slot);
  void trim(WorkerSlot& slot);
  std::int64_t next_watch(WorkerSlot& slot);
  std::int64_t next_appointment(WorkerSlot& slot);
  bool is_somebody_coming() const;
  void leave_watch(WorkerSlot& slot);
  void wake_one(WorkerSlot* by);
  std::int64_t next_due(const WorkerSlot& slot) const;
  std::int64_t next_firing(const WorkerSlot& slot) const;
  /// Whether there were any; they may have made tasks runnable on this worker.
  bool fire_timers(WorkerSlot& slot, std::int64_t now_ns);
  bool fire_timers_of(WorkerSlot& victim, WorkerSlot& slot, std::int64_t now_ns);
  void relieve(WorkerSlot& stuck, WorkerSlot& slot);

  const Hooks hooks_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  std::uint64_t all_ = 0;  // a bit per slot

  // What the orders of the members below pair with. Most are seq_cst and stand in pairs of threads,
  // each of which writes one of two atomics and then reads the other one: at least one of the
  // threads sees what the other wrote.
  // - inject() writes `injected_count_`, then reads `searching_` and `idle_`. This pairs with a
  //   slot that stops searching, which writes `searching_` and then reads `injected_count_`, and
  //   with a slot that falls asleep, which writes `idle_` and then reads `injected_count_`.
  // - A slot that was asleep clears its bit in `idle_`, then reads `watcher_` (leave_watch()). This
  //   pairs with a watcher that gives up, which writes `watcher_` and then reads `idle_`
  //   (next_watch()).
  // - A watcher that has found work writes `watcher_`, then reads `idle_` (leave_watch()). This
  //   pairs with a slot that falls asleep, which sets its bit in `idle_` and then tries to become
  //   the watcher (next_watch()).
  // - `appointment_` is written in next_appointment() and sleep() and pairs with the load in
  //   is_somebody_coming(). A stale value costs a wake-up or spares one; whoever had the
  //   appointment becomes the watcher at its next sleep if there is none.
  // - `is_stopping_`: the store in stop() pairs with the load in sleep(). The unpark() that follows
  //   the store would do by itself.
  // - `is_trimming_` is a lock that nobody waits for: the acquire in trim() pairs with the
  //   release of the last owner there.
  //
  // None of them shows more than itself. What was written for a task comes with `injected_mutex_`,
  // with the lock of a run queue, or with the parker.
  base::Atomic<bool> is_stopping_{false}, is_trimming_{false};
  alignas(64) base::Atomic<std::uint64_t> idle_{0};  // a bit per sleeping slot
  base::Atomic<std::uint64_t> watcher_{0};           // the bit of the slot that watches
  base::Atomic<std::int64_t> appointment_{0};        // of one sleeper that is no watcher
  base::Atomic<std::uint32_t> searching_{0};         // slots that look for tasks, awake
  alignas(64) base::Atomic<std::uint32_t> injected_count_{0};
  base::Mutex injected_mutex_;
  std::deque<Task*> injected_;
};

}  // namespace actord::sched
