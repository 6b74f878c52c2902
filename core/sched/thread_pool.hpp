// SPDX-License-Identifier: Apache-2.0
//
// A dispatcher of threads that share work by stealing. Each worker has its own queue. An idle
// worker steals tasks that are worth a transfer, spins while that pays, and then sleeps.
//
// Sleeping. A slot that falls asleep sets its idle bit and then reads the count of injected tasks;
// inject() counts its task and then reads the idle bits. So at least one of the two threads sees
// what the other wrote (the memory orders are explained at the members). A push on a worker's own
// queue wakes no sleeper, except now and then when the queue is long. Instead one of the sleepers
// is the watcher: it wakes every millisecond and checks the queues, as long as a worker runs and
// for a few times after that. A watcher that finds work stops watching, and wakes another sleeper
// that becomes the watcher.
//
// If all slots sleep, there may be no watcher. Then a worker that begins to run wakes a sleeper at
// once, or, if it has only one task, at its next push or timer. It wakes none if a sleeper has an
// appointment soon: 5 ms after the next timer of another slot, the sleeper with the appointment
// wakes by itself and can become the watcher.
//
// Stealing. Two checks of a victim show how long a task takes there, and so how long the last task
// of its queue has to wait. A thief steals if that wait is long enough. If the steal has not paid,
// the thief steals nothing from that victim for a while (StealBackoff).
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
  /// Sums over all workers since the start; for tests and figures.
  struct Counts {
    std::uint64_t steals = 0;  // without those that got no task
    std::uint64_t parks = 0;
    std::uint64_t wakes = 0;  // of one worker by another
  };
  Counts counts() const;

 private:
  // What a thief saw of one victim at its last check.
  struct VictimView {
    std::uint64_t runs = 0;              // Worker::runs
    std::uint32_t waiting = 0;           // RunQueue::waiting()
    bool has_tasks = false;              // waiting tasks or a newest one
    std::int64_t at_ns = 0;              // time of the check; 0: none yet
    std::int64_t since_ns = 0;           // the victim has run the same task at least since then
    std::int64_t steal_interval_ns = 0;  // least pause between two steals while the victim is stuck
    std::int64_t last_flushed_ns = 0;    // when this thief last flushed its output
    StealBackoff backoff;
  };
  // A worker, its thread, and what the pool keeps for it.
  struct WorkerSlot {
    WorkerSlot(Dispatcher& home, unsigned index, Slice slice) : worker(home, index, slice) {}
    std::uint64_t bit() const noexcept { return std::uint64_t{1} << worker.index(); }

    Worker worker;
    // Used by the slot's own thread only, up to `stolen_from`.
    std::uint32_t check_interval = 1;  // tasks between two calls of check_timers_and_queues()
    std::int64_t last_check_ns = 0, next_round_robin_ns = 0;  // see check_timers_and_queues()
    unsigned round_robin_position = 0;                        // see take_round_robin()
    std::int64_t next_wake_ns = 0, wake_interval_ns = 50'000, stolen_before_wake_ns = 0;
    std::uint32_t spin_success = 512;  // recent share of spins that found a task, of 1024
    std::uint32_t spins_skipped = 0;
    unsigned idle_watches = 0;       // watches in a row at which all slots slept
    std::int64_t last_fired_ns = 0;  // when it last fired timers
    bool has_slept = false, is_watcher = false, has_appointment = false;
    std::vector<VictimView> views;      // by index of the victim
    Steal steal;                        // the last one, if `stolen_from` is set
    VictimView* stolen_from = nullptr;  // its victim, until assess_steal()
    base::Atomic<std::uint64_t> steals{0}, parks{0}, wakes{0};  // see Counts
    // Time of the last steal from this slot; thieves write it.
    alignas(64) base::Atomic<std::int64_t> last_stolen_ns{0};
    base::Mutex thread_state_mutex;  // of Worker::thread_state, which flush_stuck() uses
    base::Atomic<bool> is_woken_by_worker{false};  // set by the slot that wakes this one: spin once
    base::Parker parker;
    base::Thread thread;
  };

  void loop(WorkerSlot& slot);
  static void set_thread_state(WorkerSlot& slot, void* thread_state);
  Task* find_task(WorkerSlot& slot);
  Task* check_timers_and_queues(WorkerSlot& slot);
  Task* take_round_robin(WorkerSlot& slot);
  Task* take_injected(WorkerSlot& slot);
  Task* wait_for_task(WorkerSlot& slot);
  Task* spin(WorkerSlot& slot);
  Task* check_victims(WorkerSlot& slot, std::int64_t now_ns);
  Task* check_victim(WorkerSlot& slot, WorkerSlot& victim, VictimView& view, std::int64_t now_ns);
  static void assess_steal(WorkerSlot& slot);
  void sleep(WorkerSlot& slot);
  void trim(WorkerSlot& slot);
  std::int64_t claim_watch(WorkerSlot& slot);
  std::int64_t claim_appointment(WorkerSlot& slot);
  bool is_appointment_near() const;
  void hand_over_watch(WorkerSlot& slot);
  void wake_one(WorkerSlot* by);
  std::int64_t next_due(const WorkerSlot& slot) const;
  std::int64_t next_firing(const WorkerSlot& slot) const;
  // True if a timer was due; it may have made tasks runnable on this worker.
  bool fire_timers(WorkerSlot& slot, std::int64_t now_ns);
  bool fire_timers_of(WorkerSlot& victim, WorkerSlot& slot, std::int64_t now_ns);
  void flush_stuck(WorkerSlot& stuck, WorkerSlot& slot);

  const Hooks hooks_;
  std::vector<std::unique_ptr<WorkerSlot>> slots_;
  std::uint64_t all_ = 0;  // a bit per slot

  // What the memory orders of the members below pair with. In most cases two threads each write one
  // of two atomics and then read the other one, all with seq_cst: at least one of the threads sees
  // what the other wrote.
  // - inject() writes `injected_count_`, then reads `searching_` and `idle_`. This pairs with a
  //   slot that stops searching, which writes `searching_` and then reads `injected_count_`, and
  //   with a slot that falls asleep, which writes `idle_` and then reads `injected_count_`.
  // - A slot that was asleep clears its bit in `idle_`, then reads `watcher_` (hand_over_watch()).
  //   This pairs with a watcher that gives up, which writes `watcher_` and then reads `idle_`
  //   (claim_watch()).
  // - A watcher that has found work writes `watcher_`, then reads `idle_` (hand_over_watch()). This
  //   pairs with a slot that falls asleep, which sets its bit in `idle_` and then tries to become
  //   the watcher (claim_watch()).
  // - `appointment_` is written in claim_appointment() and sleep() and pairs with the load in
  //   is_appointment_near(). A stale value costs a wake-up or spares one; the slot that had the
  //   appointment becomes the watcher at its next sleep if there is none.
  // - `is_stopping_`: the store in stop() pairs with the load in sleep(). The unpark() after the
  //   store would be enough by itself.
  // - `is_trimming_` is a lock on which no thread waits: the acquire in trim() pairs with the
  //   release of the last owner there.
  //
  // These atomics publish no other data. The data of a task is published by `injected_mutex_`, by
  // the lock of a run queue, or by the parker.
  base::Atomic<bool> is_stopping_{false}, is_trimming_{false};
  alignas(64) base::Atomic<std::uint64_t> idle_{0};  // a bit per sleeping slot
  base::Atomic<std::uint64_t> watcher_{0};           // the bit of the slot that watches
  base::Atomic<std::int64_t> appointment_{0};  // wake-up of a sleeper, not the watcher; 0: none
  base::Atomic<std::uint32_t> searching_{0};   // slots in spin()
  alignas(64) base::Atomic<std::uint32_t> injected_count_{0};
  base::Mutex injected_mutex_;
  std::deque<Task*> injected_;
};

}  // namespace actord::sched
