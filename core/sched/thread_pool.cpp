// SPDX-License-Identifier: Apache-2.0
#include "sched/thread_pool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "sched/cpu_count.hpp"

namespace actord::sched {

namespace {

constexpr unsigned slots_max = 64;

// Fairness: a worker calls check_timers_and_queues() after so many tasks, fewer if they are long.
// There, at most once in round_robin_interval_ns, take_round_robin() chooses the next task. More
// often would cost memory: an older task may make a tree of new actors broader instead of deeper.
constexpr std::uint32_t check_interval_min = 4, check_interval_max = 61;
constexpr std::int64_t round_robin_interval_ns = 50'000;

// Waking: a wake-up costs its caller some 7 us.
constexpr std::uint32_t backlog_for_wake = 8;
constexpr std::uint32_t notify_every_push = 0, notify_never = UINT32_MAX;
constexpr std::int64_t wake_interval_min_ns = 50'000, wake_interval_max_ns = 10'000'000;

// Stealing: to move an actor costs some 100 ns for each of its cache lines, and then as much for
// each message that the victim's actors send to it.
constexpr std::int64_t stolen_wait_min_ns = 20'000;
// A victim is stuck if its task has been running for stuck_ns. steal_interval_max_ns is the longest
// pause between two steals from it.
constexpr std::int64_t stuck_ns = 100'000, steal_interval_max_ns = 2'000'000;
constexpr std::int64_t flush_interval_ns = 1'000'000;

// Idling: to spin for as long as two wake-ups take, and then sleep, costs at most twice what the
// better of the two would cost alone.
constexpr std::int64_t fire_interval_ns = 30'000;
constexpr std::int64_t spin_ns = 40'000;
constexpr std::int64_t victim_check_interval_min_ns = 5'000, victim_check_interval_max_ns = 100'000;
constexpr std::int64_t watch_interval_ns = 1'000'000;
constexpr std::int64_t appointment_ns = 5'000'000;  // after the next timer of another slot
constexpr unsigned idle_watches_max = 4;
constexpr std::int64_t trim_delay_ns = 1'000'000'000;
constexpr std::uint32_t spin_success_scale = 1024, spin_success_min = spin_success_scale / 10,
                        skips_between_probes = 32;

}  // namespace

ThreadPool::ThreadPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks) {
  fires_timers_ = hooks.fire != nullptr;
  flushes_stuck_ = hooks.flush_stuck != nullptr;
  const unsigned wanted = settings.threads_min != 0 ? settings.threads_min : available_cpus();
  for (unsigned i = 0; i < std::min(wanted, slots_max); ++i) {
    slots_.push_back(std::make_unique<WorkerSlot>(*this, i, settings.slice));
    all_ |= slots_.back()->bit();
  }
  for (auto& slot : slots_) slot->views.resize(slots_.size());
}

void ThreadPool::start() {
  ACTORD_ASSERT(!is_stopping_.load(base::relaxed));  // a pool that was stopped runs nothing
  for (auto& slot : slots_) {
    ACTORD_ASSERT(!slot->thread.joinable());
    slot->thread = base::Thread([this, &slot = *slot] { loop(slot); });
  }
}

void ThreadPool::stop() {
  is_stopping_.store(true, base::seq_cst);
  for (auto& slot : slots_) slot->parker.unpark();
  for (auto& slot : slots_) {
    if (slot->thread.joinable()) slot->thread.join();
  }
}

// Wakes no slot while one is searching: that slot reads `injected_count_` again before it sleeps.
void ThreadPool::inject(Task* task) {
  {
    std::lock_guard lock(injected_mutex_);
    ACTORD_ASSERT(injected_.empty() || injected_.back() != task);
    injected_.push_back(task);
    injected_count_.fetch_add(1, base::seq_cst);
  }
  if (searching_.load(base::seq_cst) == 0) wake_one(nullptr);
}

void ThreadPool::on_backlog(Worker& worker) {
  ACTORD_ASSERT(&worker.home() == this);
  WorkerSlot& slot = *slots_[worker.index()];
  worker.backlog_threshold =
      notify_never;  // until check_timers_and_queues(), at next_wake_ns at the earliest
  if (idle_.load(base::relaxed) == 0) return;
  // If no thief has stolen from this slot since the last wake-up, that wake-up was useless.
  const std::int64_t last_stolen = slot.last_stolen_ns.load(base::relaxed);
  slot.wake_interval_ns = last_stolen != slot.stolen_before_wake_ns
                              ? wake_interval_min_ns
                              : std::min(slot.wake_interval_ns * 2, wake_interval_max_ns);
  slot.stolen_before_wake_ns = last_stolen;
  slot.next_wake_ns = slot.last_check_ns + slot.wake_interval_ns;
  wake_one(&slot);
}

ThreadPool::Counts ThreadPool::counts() const {
  Counts sum;
  for (const auto& slot : slots_) {
    sum.steals += slot->steals.load(base::relaxed);
    sum.parks += slot->parks.load(base::relaxed);
    sum.wakes += slot->wakes.load(base::relaxed);
  }
  return sum;
}

void ThreadPool::loop(WorkerSlot& slot) {
  Worker& worker = slot.worker;
  base::set_timer_slack(1);
  worker.runs_left = 1;
  void* const thread_state = hooks_.attach(hooks_.owner, worker);
  set_thread_state(slot, thread_state);
  while (!is_stopping_.load(base::relaxed)) {
    Task* task = --worker.runs_left != 0 ? worker.queue.pop_newest() : nullptr;
    if (task == nullptr) [[unlikely]] {
      task = find_task(slot);
      if (task == nullptr) continue;
    }
    hooks_.run(thread_state, task);
    worker.count_run();
  }
  set_thread_state(slot, nullptr);
  hooks_.detach(hooks_.owner, thread_state);
}

// Under the lock, since other workers read the state in flush_stuck().
void ThreadPool::set_thread_state(WorkerSlot& slot, void* thread_state) {
  std::lock_guard lock(slot.thread_state_mutex);
  slot.worker.thread_state = thread_state;
}

// Called when runs_left is used up or the own queue is empty. Null: stop or try again.
Task* ThreadPool::find_task(WorkerSlot& slot) {
  Task* task = slot.worker.runs_left == 0 ? check_timers_and_queues(slot) : nullptr;
  const bool has_waited = task == nullptr || slot.has_slept;
  if (task == nullptr) task = wait_for_task(slot);
  if (task != nullptr && has_waited && hooks_.on_busy != nullptr) hooks_.on_busy(hooks_.owner);
  // A slot without a watcher (notify_every_push) may have got timers since hand_over_watch() found
  // it to have none.
  const bool is_unwatched = slot.has_slept || slot.worker.backlog_threshold == notify_every_push;
  if (task != nullptr && is_unwatched) hand_over_watch(slot);
  return task;
}

// ---- fairness -----------------------------------------------------------------------------------

// Sets the next runs_left, fires timers, and returns the next task: now and then one that has
// waited long, else an injected one, else the newest.
Task* ThreadPool::check_timers_and_queues(WorkerSlot& slot) {
  RunQueue& queue = slot.worker.queue;
  const std::int64_t now = base::monotonic_ns();
  const bool is_late = now - slot.last_check_ns > round_robin_interval_ns;
  slot.check_interval = is_late ? std::max(slot.check_interval / 2, check_interval_min)
                                : std::min(slot.check_interval * 2, check_interval_max);
  slot.worker.runs_left = slot.check_interval;
  slot.last_check_ns = now;
  fire_timers(slot, now);
  if (slot.worker.backlog_threshold == notify_never && now >= slot.next_wake_ns &&
      slots_.size() > 1)
    slot.worker.backlog_threshold = backlog_for_wake;
  if (now >= slot.next_round_robin_ns) {
    slot.next_round_robin_ns = now + round_robin_interval_ns;
    if (Task* const task = take_round_robin(slot)) return task;
  } else if (Task* const task = take_injected(slot)) {
    return task;
  }
  return queue.pop_newest();
}

// If only the newest tasks ran, three kinds of task could wait for ever: those that wait in the
// queue, those that yielded, and those that were injected. Takes the oldest task of one kind, of
// another kind at each call.
Task* ThreadPool::take_round_robin(WorkerSlot& slot) {
  RunQueue& queue = slot.worker.queue;
  Task* task = nullptr;
  for (int i = 0; i < 3 && task == nullptr; ++i) {
    slot.round_robin_position = (slot.round_robin_position + 1) % 3;
    if (slot.round_robin_position == 0) task = take_injected(slot);
    else task = slot.round_robin_position == 1 ? queue.pop_oldest() : queue.pop_yielded();
  }
  return task;
}

// Returns the first injected task, and moves this slot's share of the others to its own queue.
Task* ThreadPool::take_injected(WorkerSlot& slot) {
  if (injected_count_.load(base::relaxed) == 0) return nullptr;
  std::lock_guard lock(injected_mutex_);
  ACTORD_ASSERT(injected_count_.load(base::relaxed) == injected_.size());
  if (injected_.empty()) return nullptr;
  Task* const task = injected_.front();
  injected_.pop_front();
  const std::size_t share = std::min<std::size_t>(injected_.size() / slots_.size(), 32);
  for (std::size_t i = 0; i < share; ++i) {
    slot.worker.queue.push_yielded(injected_.front());
    injected_.pop_front();
  }
  injected_count_.store(static_cast<std::uint32_t>(injected_.size()), base::relaxed);
  return task;
}

// ---- idling -------------------------------------------------------------------------------------

// Spins if that pays, then sleeps once. Null after a sleep: the caller tries again.
Task* ThreadPool::wait_for_task(WorkerSlot& slot) {
  assess_steal(slot);
  Task* task = take_injected(slot);
  if (task == nullptr) {
    searching_.fetch_add(1, base::seq_cst);
    task = spin(slot);
    searching_.fetch_sub(1, base::seq_cst);
  }
  // A thread that injected while this slot was searching has woken no slot.
  if (task == nullptr) sleep(slot);
  else if (injected_count_.load(base::seq_cst) != 0) wake_one(&slot);
  return task;
}

// Fires timers and checks the victims once, then spins for up to spin_ns if spinning has found
// tasks lately, or if another worker has woken this slot.
Task* ThreadPool::spin(WorkerSlot& slot) {
  const std::int64_t start = base::monotonic_ns();
  if (fire_timers(slot, start)) {
    if (Task* const task = slot.worker.queue.pop_newest()) return task;
  }
  if (Task* const task = check_victims(slot, start)) return task;
  const bool is_woken_by_worker = slot.is_woken_by_worker.load(base::relaxed);
  if (is_woken_by_worker) slot.is_woken_by_worker.store(false, base::relaxed);
  // A spin right after timers were fired does not show whether spinning pays, so it is no probe.
  const bool is_for_timers = start - slot.last_fired_ns < spin_ns;
  const bool is_useless = slot.spin_success < spin_success_min &&
                          (is_for_timers || ++slot.spins_skipped % skips_between_probes != 0);
  if (is_useless && !is_woken_by_worker) return nullptr;
  std::int64_t between = victim_check_interval_min_ns, next_check = start + between;
  Task* task = nullptr;
  bool is_from_timer = false;  // no success of spinning: a sleeping slot would have fired it too
  for (std::int64_t now = start; task == nullptr && now - start < spin_ns;) {
    for (int i = 0; i < 16; ++i) base::cpu_relax();
    if (is_stopping_.load(base::relaxed)) return nullptr;
    task = take_injected(slot);
    now = base::monotonic_ns();
    if (task == nullptr && fire_timers(slot, now)) {
      task = slot.worker.queue.pop_newest();
      is_from_timer = true;
    }
    if (task == nullptr && now >= next_check) {
      task = check_victims(slot, now);
      between = std::min(between * 2, victim_check_interval_max_ns);
      next_check = now + between;
    }
  }
  slot.spin_success -= slot.spin_success / 16;
  if (task != nullptr && !is_from_timer) slot.spin_success += spin_success_scale / 16;
  return task;
}

// Checks the victims until one of them gives a task.
Task* ThreadPool::check_victims(WorkerSlot& slot, std::int64_t now_ns) {
  for (auto& other : slots_) {
    if (other.get() == &slot) continue;
    VictimView& view = slot.views[other->worker.index()];
    if (Task* const task = check_victim(slot, *other, view, now_ns)) {
      slot.steals.store(slot.steals.load(base::relaxed) + 1, base::relaxed);
      return task;
    }
  }
  return nullptr;
}

// Fires overdue timers of the victim, flushes its output if it is stuck, and steals from it. It
// steals only if the victim had tasks at this check and at the check before, and only if the last
// of them would have to wait for at least stolen_wait_min_ns. From a victim that is stuck it steals
// once in steal_interval_ns instead.
Task* ThreadPool::check_victim(WorkerSlot& slot, WorkerSlot& victim, VictimView& view,
                               std::int64_t now_ns) {
  RunQueue& queue = victim.worker.queue;
  const VictimView before = view;
  view = {victim.worker.runs.load(base::relaxed),
          queue.waiting(),
          !queue.is_empty(),
          now_ns,
          before.since_ns,
          before.steal_interval_ns,
          before.last_flushed_ns,
          before.backoff};
  const std::uint64_t ran = view.runs - before.runs;
  const bool is_idle = (idle_.load(base::relaxed) & victim.bit()) != 0;
  if (ran != 0 || is_idle || before.at_ns == 0) {
    view.since_ns = now_ns;
    view.steal_interval_ns = stuck_ns;
  }
  const bool is_stuck = now_ns - view.since_ns >= stuck_ns;
  // Its timers are overdue if it is stuck, or runs long tasks between two calls of
  // check_timers_and_queues().
  const std::int64_t due = victim.worker.timers.next_due();
  const bool is_overdue = !is_idle && due != INT64_MIN && due <= now_ns - stuck_ns;
  bool has_helped = (is_stuck || is_overdue) && fire_timers_of(victim, slot, now_ns);
  if (is_stuck && now_ns - view.last_flushed_ns >= flush_interval_ns) {
    view.last_flushed_ns = now_ns;
    flush_stuck(victim, slot);
    has_helped = true;
  }
  if (has_helped) {
    if (Task* const task = slot.worker.queue.pop_newest()) return task;
  }
  if (!before.has_tasks || !view.has_tasks) return nullptr;
  std::int64_t task_ns = 0;
  if (is_stuck) {
    // The stuck task may send to the stolen tasks, and then they are in the victim's queue again as
    // soon as they have run. So the pause between two steals doubles; messages add up meanwhile.
    if (now_ns - victim.last_stolen_ns.load(base::relaxed) < view.steal_interval_ns) return nullptr;
    view.steal_interval_ns = std::min(view.steal_interval_ns * 2, steal_interval_max_ns);
  } else {
    if (ran == 0 || view.backoff.is_active(now_ns)) return nullptr;
    task_ns = (now_ns - before.at_ns) / static_cast<std::int64_t>(ran);
    if (std::min(before.waiting, view.waiting) * task_ns < stolen_wait_min_ns) return nullptr;
  }
  victim.last_stolen_ns.store(now_ns, base::relaxed);
  // The younger half stays, since the victim most likely exchanges messages with those tasks.
  const bool is_last_resort = is_stuck && view.waiting == 0;
  Task* const task = queue.steal_for(
      slot.worker.queue, is_last_resort ? RunQueue::StealAmount::all : RunQueue::StealAmount::half);
  if (task != nullptr && !is_stuck) {
    slot.steal = {now_ns, task_ns, slot.worker.queue.waiting() + 1u,
                  slot.worker.runs.load(base::relaxed)};
    slot.stolen_from = &view;
  }
  return task;
}

// Called by a thief that has no task left, before it gets others: notes whether its steal has paid.
void ThreadPool::assess_steal(WorkerSlot& slot) {
  VictimView* const stolen_from = std::exchange(slot.stolen_from, nullptr);
  if (stolen_from == nullptr) return;
  const std::int64_t now_ns = base::monotonic_ns();
  stolen_from->backoff.record(slot.steal.has_paid(slot.worker.runs.load(base::relaxed), now_ns),
                              now_ns);
}

// Runs on `slot`: sends what the running task of `stuck` has buffered. The lock keeps `stuck` from
// detaching meanwhile.
void ThreadPool::flush_stuck(WorkerSlot& stuck, WorkerSlot& slot) {
  if (!flushes_stuck_) return;
  std::lock_guard lock(stuck.thread_state_mutex);
  if (stuck.worker.thread_state != nullptr)
    hooks_.flush_stuck(slot.worker.thread_state, stuck.worker.thread_state);
}

// ---- sleeping and waking ------------------------------------------------------------------------

// Parks until a wake-up, the next firing, the watch, the appointment or the time to trim.
void ThreadPool::sleep(WorkerSlot& slot) {
  slot.has_slept = true;
  // The bit is set before `injected_count_` is read; pairs with inject().
  const std::uint64_t sleepers = idle_.fetch_or(slot.bit(), base::seq_cst);
  ACTORD_ASSERT((sleepers & slot.bit()) == 0);  // only a slot that sleeps has its bit set
  const std::int64_t watch = claim_watch(slot);
  const bool needs_trim = hooks_.needs_trim != nullptr && hooks_.needs_trim(hooks_.owner);
  const std::int64_t trim_at =
      needs_trim ? base::monotonic_ns() + trim_delay_ns : base::Parker::never;
  const std::int64_t until = std::min({next_firing(slot), watch, claim_appointment(slot), trim_at});
  if (injected_count_.load(base::seq_cst) == 0 && !is_stopping_.load(base::seq_cst)) {
    slot.parks.store(slot.parks.load(base::relaxed) + 1, base::relaxed);
    slot.parker.park_until(until);
    if (needs_trim && until == trim_at && base::monotonic_ns() >= trim_at) trim(slot);
  }
  if (std::exchange(slot.has_appointment, false)) appointment_.store(0, base::seq_cst);
  idle_.fetch_and(~slot.bit(), base::seq_cst);
}

// All slots may call this at once; `is_trimming_` admits one of them.
void ThreadPool::trim(WorkerSlot& slot) {
  if (idle_.load(base::relaxed) != all_ || is_trimming_.exchange(true, base::acquire)) return;
  idle_.fetch_and(~slot.bit(), base::seq_cst);  // an inject() meanwhile has to wake another slot
  if (hooks_.needs_trim(hooks_.owner)) hooks_.trim(hooks_.owner);
  is_trimming_.store(false, base::release);
}

// Makes the slot the watcher if there is none. Returns the time at which the slot has to wake if it
// is the watcher, else never.
std::int64_t ThreadPool::claim_watch(WorkerSlot& slot) {
  std::uint64_t no_watcher = 0;
  if (slots_.size() == 1) return base::Parker::never;
  if (!slot.is_watcher) {
    slot.is_watcher = watcher_.compare_exchange_strong(no_watcher, slot.bit(), base::seq_cst);
    if (!slot.is_watcher) return base::Parker::never;
    slot.idle_watches = 0;
  }
  if (idle_.load(base::seq_cst) != all_) {
    slot.idle_watches = 0;
  } else if (++slot.idle_watches > idle_watches_max) {
    slot.is_watcher = false;
    watcher_.store(0, base::seq_cst);  // before the last read of `idle_`, see hand_over_watch()
    if (idle_.load(base::seq_cst) == all_) return base::Parker::never;
  }
  return base::monotonic_ns() + watch_interval_ns;
}

// Gives the slot the appointment if no slot has it. Returns its time, else never.
std::int64_t ThreadPool::claim_appointment(WorkerSlot& slot) {
  if (slot.is_watcher || appointment_.load(base::seq_cst) != 0) return base::Parker::never;
  std::int64_t due = TimerWheel::never;
  for (const auto& other : slots_) {
    if (other.get() != &slot) due = std::min(due, next_due(*other));
  }
  if (due == TimerWheel::never) return base::Parker::never;
  due = std::max(due, base::monotonic_ns()) + appointment_ns;
  appointment_.store(due, base::seq_cst);
  slot.has_appointment = true;
  return due;
}

// Whether the slot that has the appointment will wake within appointment_ns.
bool ThreadPool::is_appointment_near() const {
  const std::int64_t appointment = appointment_.load(base::seq_cst);
  if (appointment == 0) return false;
  const std::int64_t wait_ns = appointment - base::monotonic_ns();
  return wait_ns > 0 && wait_ns <= appointment_ns;
}

// Called when a slot that has slept goes to work. If it was the watcher, another slot has to become
// the watcher. A slot that falls asleep later does so by itself. A slot that sleeps already has to
// be woken for it, now or at the next push (notify_every_push).
void ThreadPool::hand_over_watch(WorkerSlot& slot) {
  slot.has_slept = false;
  if (slot.worker.backlog_threshold == notify_every_push)
    slot.worker.backlog_threshold = notify_never;
  if (slot.is_watcher) {
    ACTORD_ASSERT(watcher_.load(base::relaxed) == slot.bit());  // there is at most one watcher
    slot.is_watcher = false;
    watcher_.store(0, base::seq_cst);
  } else if (watcher_.load(base::seq_cst) != 0) {
    return;
  }
  if (is_appointment_near()) return;
  const std::uint64_t sleepers = idle_.load(base::seq_cst);
  if (sleepers == 0) return;
  const bool is_alone = (sleepers | slot.bit()) == all_;
  const bool has_only_one_task =
      is_alone && slot.worker.queue.is_empty() && next_due(slot) == TimerWheel::never;
  if (has_only_one_task) slot.worker.backlog_threshold = notify_every_push;
  else wake_one(&slot);
}

// Wakes one sleeper, if there is one. It wakes the watcher only if no other slot sleeps, since the
// watcher would have to be replaced. `by` is the slot that calls, null in inject().
void ThreadPool::wake_one(WorkerSlot* by) {
  for (std::uint64_t idle = idle_.load(base::seq_cst); idle != 0;) {
    const std::uint64_t others = idle & ~watcher_.load(base::relaxed);
    const std::uint64_t bit = std::uint64_t{1} << std::countr_zero(others != 0 ? others : idle);
    if (!idle_.compare_exchange_weak(idle, idle & ~bit, base::seq_cst)) continue;
    WorkerSlot& sleeper = *slots_[static_cast<std::size_t>(std::countr_zero(bit))];
    if (by != nullptr) {
      by->wakes.store(by->wakes.load(base::relaxed) + 1, base::relaxed);
      sleeper.is_woken_by_worker.store(true, base::relaxed);
    }
    return sleeper.parker.unpark();
  }
}

// ---- timers -------------------------------------------------------------------------------------

std::int64_t ThreadPool::next_due(const WorkerSlot& slot) const {
  return slot.worker.timers.next_due();
}

// Timers that are due within fire_interval_ns are fired together, since a wake-up costs more than
// a timer.
std::int64_t ThreadPool::next_firing(const WorkerSlot& slot) const {
  return std::max(next_due(slot), slot.last_fired_ns + fire_interval_ns);
}

bool ThreadPool::fire_timers(WorkerSlot& slot, std::int64_t now_ns) {
  TimerWheel& timers = slot.worker.timers;
  if (timers.next_due() > now_ns) [[likely]]
    return false;
  timers.fire_due(now_ns,
                  [&](const Timer& timer) { hooks_.fire(slot.worker.thread_state, timer); });
  slot.last_fired_ns = now_ns;
  return true;
}

// Runs on `slot`: fires the timers of a victim that is stuck in a task or late.
bool ThreadPool::fire_timers_of(WorkerSlot& victim, WorkerSlot& slot, std::int64_t now_ns) {
  TimerWheel& timers = victim.worker.timers;
  if (timers.next_due() > now_ns) return false;
  timers.fire_due_as_other(
      now_ns, [&](const Timer& timer) { hooks_.fire(slot.worker.thread_state, timer); });
  return true;
}

}  // namespace actord::sched
