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

constexpr unsigned seats_max = 64;

// Fairness: a worker looks around after so many tasks, fewer if they are long ones, and then the
// one that has waited longest is next, but not too often: each such turn may make a tree of fresh
// actors broader instead of deeper, and what is broad fills the memory.
constexpr std::uint32_t least_between_looks = 4, most_between_looks = 61;
constexpr std::int64_t between_turns_ns = 50'000;

// Waking: a wake-up costs its caller some 7 us.
constexpr std::uint32_t backlog_worth_a_wake = 8;
constexpr std::uint32_t any_push = 0, no_backlog = UINT32_MAX;
constexpr std::int64_t least_between_wakes_ns = 50'000, most_between_wakes_ns = 10'000'000;

// Stealing: moving an actor costs some 100 ns for each cache line of it, and then as much for each
// message that comes from where it was.
constexpr std::int64_t worth_stealing_ns = 20'000;
// A task that runs longer than this holds up the others.
constexpr std::int64_t stuck_ns = 100'000, longest_patience_ns = 2'000'000;
constexpr std::int64_t between_reliefs_ns = 1'000'000;

// Idling: spinning for about two wake-ups costs at most twice what the best choice would.
constexpr std::int64_t between_firings_ns = 30'000;
constexpr std::int64_t spin_ns = 40'000;
constexpr std::int64_t first_look_ns = 5'000, longest_between_looks_ns = 100'000;
constexpr std::int64_t watch_ns = 1'000'000;
constexpr std::int64_t appointment_ns = 5'000'000;  // after a timer of another
constexpr unsigned quiet_watches_max = 4;
constexpr std::int64_t before_tidying_ns = 1'000'000'000;
constexpr std::uint32_t always = 1024, spin_success_min = always / 10, skips_between_probes = 32;

}  // namespace

ThreadPool::ThreadPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks) {
  fires_timers_ = hooks.fire != nullptr;
  relieves_ = hooks.relieve != nullptr;
  const unsigned wanted = settings.threads_min != 0 ? settings.threads_min : available_cpus();
  for (unsigned i = 0; i < std::min(wanted, seats_max); ++i) {
    seats_.push_back(std::make_unique<Seat>(*this, i, settings.slice));
    all_ |= seats_.back()->bit();
  }
  for (auto& seat : seats_) seat->glances.resize(seats_.size());
}

void ThreadPool::start() {
  ACTORD_ASSERT(!is_stopping_.load(base::relaxed));  // a pool that was stopped runs nothing
  for (auto& seat : seats_) {
    ACTORD_ASSERT(!seat->thread.joinable());
    seat->thread = base::Thread([this, &seat = *seat] { loop(seat); });
  }
}

void ThreadPool::stop() {
  is_stopping_.store(true, base::seq_cst);
  for (auto& seat : seats_) seat->parker.unpark();
  for (auto& seat : seats_) {
    if (seat->thread.joinable()) seat->thread.join();
  }
}

// A worker that is searching will look at the count once more before it sleeps.
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
  Seat& seat = *seats_[worker.index()];
  worker.tell_backlog_of = no_backlog;  // until it looks around again, and not too soon
  if (idle_.load(base::relaxed) == 0) return;
  // A wake-up that brought no thief was one too many.
  const std::int64_t robbed = seat.robbed_ns.load(base::relaxed);
  seat.between_wakes_ns = robbed != seat.robbed_before_ns
                              ? least_between_wakes_ns
                              : std::min(seat.between_wakes_ns * 2, most_between_wakes_ns);
  seat.robbed_before_ns = robbed;
  seat.next_wake_ns = seat.looked_ns + seat.between_wakes_ns;
  wake_one(&seat);
}

ThreadPool::Counts ThreadPool::counts() const {
  Counts sum;
  for (const auto& seat : seats_) {
    sum.steals += seat->steals.load(base::relaxed);
    sum.parks += seat->parks.load(base::relaxed);
    sum.wakes += seat->wakes.load(base::relaxed);
  }
  return sum;
}

void ThreadPool::loop(Seat& seat) {
  Worker& worker = seat.worker;
  base::set_timer_slack(1);
  worker.picks_left = 1;
  void* const local = hooks_.attach(hooks_.owner, worker);
  set_local(seat, local);
  while (!is_stopping_.load(base::relaxed)) {
    Task* task = --worker.picks_left != 0 ? worker.queue.pop_newest() : nullptr;
    if (task == nullptr) [[unlikely]] {
      task = look_further(seat);
      if (task == nullptr) continue;
    }
    hooks_.run(local, task);
    worker.note_run();
  }
  set_local(seat, nullptr);
  hooks_.detach(hooks_.owner, local);
}

// For those who relieve it.
void ThreadPool::set_local(Seat& seat, void* local) {
  std::lock_guard lock(seat.local_mutex);
  seat.worker.local = local;
}

Task* ThreadPool::look_further(Seat& seat) {
  Task* task = seat.worker.picks_left == 0 ? look_around(seat) : nullptr;
  if (task == nullptr) task = wait_for_task(seat);
  // Who runs unwatched may have got timers since that was found out.
  const bool is_unwatched = seat.has_slept || seat.worker.tell_backlog_of == any_push;
  if (task != nullptr && is_unwatched) leave_watch(seat);
  return task;
}

// ---- fairness -----------------------------------------------------------------------------------

Task* ThreadPool::look_around(Seat& seat) {
  RunQueue& queue = seat.worker.queue;
  const std::int64_t now = base::monotonic_ns();
  const bool is_late = now - seat.looked_ns > between_turns_ns;
  seat.between_looks = is_late ? std::max(seat.between_looks / 2, least_between_looks)
                               : std::min(seat.between_looks * 2, most_between_looks);
  seat.worker.picks_left = seat.between_looks;
  seat.looked_ns = now;
  fire_timers(seat, now);
  if (seat.worker.tell_backlog_of == no_backlog && now >= seat.next_wake_ns && seats_.size() > 1)
    seat.worker.tell_backlog_of = backlog_worth_a_wake;
  if (now >= seat.next_turn_ns) {
    seat.next_turn_ns = now + between_turns_ns;
    if (Task* const task = take_turn(seat)) return task;
  } else if (Task* const task = take_injected(seat)) {
    return task;
  }
  return queue.pop_newest();
}

// Three wait for ever where only the newest ones run: who was pushed first, who yielded first, and
// who came from outside first.
Task* ThreadPool::take_turn(Seat& seat) {
  RunQueue& queue = seat.worker.queue;
  Task* task = nullptr;
  for (int i = 0; i < 3 && task == nullptr; ++i) {
    seat.turn = (seat.turn + 1) % 3;
    if (seat.turn == 0) task = take_injected(seat);
    else task = seat.turn == 1 ? queue.pop_oldest() : queue.pop_yielded();
  }
  return task;
}

// One to run at once, and its share of the others.
Task* ThreadPool::take_injected(Seat& seat) {
  if (injected_count_.load(base::relaxed) == 0) return nullptr;
  std::lock_guard lock(injected_mutex_);
  ACTORD_ASSERT(injected_count_.load(base::relaxed) == injected_.size());
  if (injected_.empty()) return nullptr;
  Task* const task = injected_.front();
  injected_.pop_front();
  const std::size_t share = std::min<std::size_t>(injected_.size() / seats_.size(), 32);
  for (std::size_t i = 0; i < share; ++i) {
    seat.worker.queue.push_yielded(injected_.front());
    injected_.pop_front();
  }
  injected_count_.store(static_cast<std::uint32_t>(injected_.size()), base::relaxed);
  return task;
}

// ---- idling -------------------------------------------------------------------------------------

// Spins while that pays, then sleeps once. Null: look again.
Task* ThreadPool::wait_for_task(Seat& seat) {
  judge_theft(seat);
  Task* task = take_injected(seat);
  if (task == nullptr) {
    searching_.fetch_add(1, base::seq_cst);
    task = spin(seat);
    searching_.fetch_sub(1, base::seq_cst);
  }
  // Who injected while somebody searched or was about to sleep has woken nobody.
  if (task == nullptr) sleep(seat);
  else if (injected_count_.load(base::seq_cst) != 0) wake_one(&seat);
  return task;
}

Task* ThreadPool::spin(Seat& seat) {
  const std::int64_t start = base::monotonic_ns();
  if (fire_timers(seat, start)) {
    if (Task* const task = seat.worker.queue.pop_newest()) return task;
  }
  if (Task* const task = look_at_others(seat, start)) return task;
  const bool is_called = seat.is_called.load(base::relaxed);
  if (is_called) seat.is_called.store(false, base::relaxed);
  // Between timers that come thick and fast there is nothing to find out.
  const bool is_for_timers = start - seat.fired_ns < spin_ns;
  const bool is_useless = seat.spin_success < spin_success_min &&
                          (is_for_timers || ++seat.spins_skipped % skips_between_probes != 0);
  if (is_useless && !is_called) return nullptr;
  std::int64_t between = first_look_ns, next_look = start + between;
  Task* task = nullptr;
  bool is_of_timer = false;  // which is no reason to spin: it would have been due while asleep
  for (std::int64_t now = start; task == nullptr && now - start < spin_ns;) {
    for (int i = 0; i < 16; ++i) base::cpu_relax();
    if (is_stopping_.load(base::relaxed)) return nullptr;
    task = take_injected(seat);
    now = base::monotonic_ns();
    if (task == nullptr && fire_timers(seat, now)) {
      task = seat.worker.queue.pop_newest();
      is_of_timer = true;
    }
    if (task == nullptr && now >= next_look) {
      task = look_at_others(seat, now);
      between = std::min(between * 2, longest_between_looks_ns);
      next_look = now + between;
    }
  }
  seat.spin_success -= seat.spin_success / 16;
  if (task != nullptr && !is_of_timer) seat.spin_success += always / 16;
  return task;
}

Task* ThreadPool::look_at_others(Seat& seat, std::int64_t now_ns) {
  for (auto& other : seats_) {
    if (other.get() == &seat) continue;
    Glance& glance = seat.glances[other->worker.index()];
    if (Task* const task = look_at(seat, *other, glance, now_ns)) {
      seat.steals.store(seat.steals.load(base::relaxed) + 1, base::relaxed);
      return task;
    }
  }
  return nullptr;
}

// A worker alone with its only task is left alone: what counts is what waited at both looks.
Task* ThreadPool::look_at(Seat& seat, Seat& victim, Glance& glance, std::int64_t now_ns) {
  RunQueue& queue = victim.worker.queue;
  const Glance before = glance;
  glance = {victim.worker.runs.load(base::relaxed),
            queue.waiting(),
            !queue.is_empty(),
            now_ns,
            before.since_ns,
            before.patience_ns,
            before.relieved_ns,
            before.sparing};
  const std::uint64_t ran = glance.runs - before.runs;
  const bool is_idle = (idle_.load(base::relaxed) & victim.bit()) != 0;
  if (ran != 0 || is_idle || before.at_ns == 0) {
    glance.since_ns = now_ns;
    glance.patience_ns = stuck_ns;
  }
  const bool is_stuck = now_ns - glance.since_ns >= stuck_ns;
  // Stuck, or busy with long tasks between two looks at the clock.
  const std::int64_t due = victim.worker.timers.next_due();
  const bool is_overdue = !is_idle && due != INT64_MIN && due <= now_ns - stuck_ns;
  bool has_helped = (is_stuck || is_overdue) && fire_timers_of(victim, seat, now_ns);
  if (is_stuck && now_ns - glance.relieved_ns >= between_reliefs_ns) {
    glance.relieved_ns = now_ns;
    relieve(victim, seat);
    has_helped = true;
  }
  if (has_helped) {
    if (Task* const task = seat.worker.queue.pop_newest()) return task;
  }
  if (!before.has_tasks || !glance.has_tasks) return nullptr;
  std::int64_t task_ns = 0;
  if (is_stuck) {
    // Perhaps it sends to those who wait, and then they are back there as soon as they are done:
    // they are taken with what they have got meanwhile, and ever more seldom.
    if (now_ns - victim.robbed_ns.load(base::relaxed) < glance.patience_ns) return nullptr;
    glance.patience_ns = std::min(glance.patience_ns * 2, longest_patience_ns);
  } else {
    if (ran == 0 || glance.sparing.holds(now_ns)) return nullptr;
    task_ns = (now_ns - before.at_ns) / static_cast<std::int64_t>(ran);
    if (std::min(before.waiting, glance.waiting) * task_ns < worth_stealing_ns) return nullptr;
  }
  victim.robbed_ns.store(now_ns, base::relaxed);
  // The younger half are most likely those with whom it deals.
  const bool is_last_resort = is_stuck && glance.waiting == 0;
  Task* const task = queue.steal_for(seat.worker.queue,
                                     is_last_resort ? RunQueue::Loot::all : RunQueue::Loot::half);
  if (task != nullptr && !is_stuck) {
    seat.theft = {now_ns, task_ns, seat.worker.queue.waiting() + 1u,
                  seat.worker.runs.load(base::relaxed)};
    seat.robbed = &glance;
  }
  return task;
}

// By a thief that has nothing left to do, before anything else comes.
void ThreadPool::judge_theft(Seat& seat) {
  Glance* const robbed = std::exchange(seat.robbed, nullptr);
  if (robbed == nullptr) return;
  const std::int64_t now_ns = base::monotonic_ns();
  robbed->sparing.note(seat.theft.has_paid(seat.worker.runs.load(base::relaxed), now_ns), now_ns);
}

void ThreadPool::relieve(Seat& stuck, Seat& seat) {
  if (!relieves_) return;
  std::lock_guard lock(stuck.local_mutex);
  if (stuck.worker.local != nullptr) hooks_.relieve(seat.worker.local, stuck.worker.local);
}

// ---- sleeping and waking ------------------------------------------------------------------------

void ThreadPool::sleep(Seat& seat) {
  seat.has_slept = true;
  // Before the look for tasks, see inject().
  const std::uint64_t sleepers = idle_.fetch_or(seat.bit(), base::seq_cst);
  ACTORD_ASSERT((sleepers & seat.bit()) == 0);  // only a seat that sleeps has its bit set
  const std::int64_t watch = next_watch(seat);
  const bool is_untidy = hooks_.is_untidy != nullptr && hooks_.is_untidy(hooks_.owner);
  const std::int64_t tidying =
      is_untidy ? base::monotonic_ns() + before_tidying_ns : base::Parker::never;
  const std::int64_t until = std::min({next_firing(seat), watch, next_appointment(seat), tidying});
  if (injected_count_.load(base::seq_cst) == 0 && !is_stopping_.load(base::seq_cst)) {
    seat.parks.store(seat.parks.load(base::relaxed) + 1, base::relaxed);
    seat.parker.park_until(until);
    if (is_untidy && until == tidying && base::monotonic_ns() >= tidying) tidy_up(seat);
  }
  if (std::exchange(seat.has_appointment, false)) appointment_.store(0, base::seq_cst);
  idle_.fetch_and(~seat.bit(), base::seq_cst);
}

// All may come here at once.
void ThreadPool::tidy_up(Seat& seat) {
  if (idle_.load(base::relaxed) != all_ || is_tidying_.exchange(true, base::acquire)) return;
  idle_.fetch_and(~seat.bit(), base::seq_cst);  // who injects meanwhile is to wake somebody else
  if (hooks_.is_untidy(hooks_.owner)) hooks_.tidy(hooks_.owner);
  is_tidying_.store(false, base::release);
}

// When a sleeper has to look at the others.
std::int64_t ThreadPool::next_watch(Seat& seat) {
  std::uint64_t nobody = 0;
  if (seats_.size() == 1) return base::Parker::never;
  if (!seat.is_watcher) {
    seat.is_watcher = watcher_.compare_exchange_strong(nobody, seat.bit(), base::seq_cst);
    if (!seat.is_watcher) return base::Parker::never;
    seat.quiet_watches = 0;
  }
  if (idle_.load(base::seq_cst) != all_) {
    seat.quiet_watches = 0;
  } else if (++seat.quiet_watches > quiet_watches_max) {
    seat.is_watcher = false;
    watcher_.store(0, base::seq_cst);  // before the last look at the others, see leave_watch()
    if (idle_.load(base::seq_cst) == all_) return base::Parker::never;
  }
  return base::monotonic_ns() + watch_ns;
}

std::int64_t ThreadPool::next_appointment(Seat& seat) {
  if (seat.is_watcher || appointment_.load(base::seq_cst) != 0) return base::Parker::never;
  std::int64_t due = TimerWheel::never;
  for (const auto& other : seats_) {
    if (other.get() != &seat) due = std::min(due, next_due(*other));
  }
  if (due == TimerWheel::never) return base::Parker::never;
  due = std::max(due, base::monotonic_ns()) + appointment_ns;
  appointment_.store(due, base::seq_cst);
  seat.has_appointment = true;
  return due;
}

bool ThreadPool::is_somebody_coming() const {
  const std::int64_t appointment = appointment_.load(base::seq_cst);
  if (appointment == 0) return false;
  const std::int64_t wait_ns = appointment - base::monotonic_ns();
  return wait_ns > 0 && wait_ns <= appointment_ns;
}

// On the way from sleep to work. Whoever falls asleep later takes the watch, but those who sleep
// already do not know that they are needed.
void ThreadPool::leave_watch(Seat& seat) {
  seat.has_slept = false;
  if (seat.worker.tell_backlog_of == any_push) seat.worker.tell_backlog_of = no_backlog;
  if (seat.is_watcher) {
    ACTORD_ASSERT(watcher_.load(base::relaxed) == seat.bit());  // there is at most one watcher
    seat.is_watcher = false;
    watcher_.store(0, base::seq_cst);
  } else if (watcher_.load(base::seq_cst) != 0) {
    return;
  }
  if (is_somebody_coming()) return;
  const std::uint64_t sleepers = idle_.load(base::seq_cst);
  if (sleepers == 0) return;
  const bool is_alone = (sleepers | seat.bit()) == all_;
  const bool has_all_in_hand =
      is_alone && seat.worker.queue.is_empty() && next_due(seat) == TimerWheel::never;
  if (has_all_in_hand) seat.worker.tell_backlog_of = any_push;
  else wake_one(&seat);
}

// Not the watcher, if there is another: he would have to be replaced.
void ThreadPool::wake_one(Seat* by) {
  for (std::uint64_t idle = idle_.load(base::seq_cst); idle != 0;) {
    const std::uint64_t others = idle & ~watcher_.load(base::relaxed);
    const std::uint64_t bit = std::uint64_t{1} << std::countr_zero(others != 0 ? others : idle);
    if (!idle_.compare_exchange_weak(idle, idle & ~bit, base::seq_cst)) continue;
    Seat& sleeper = *seats_[static_cast<std::size_t>(std::countr_zero(bit))];
    if (by != nullptr) {
      by->wakes.store(by->wakes.load(base::relaxed) + 1, base::relaxed);
      sleeper.is_called.store(true, base::relaxed);
    }
    return sleeper.parker.unpark();
  }
}

// ---- timers -------------------------------------------------------------------------------------

std::int64_t ThreadPool::next_due(const Seat& seat) const { return seat.worker.timers.next_due(); }

// Timers that come thick and fast are fired together: a wake-up costs more than all else they do.
std::int64_t ThreadPool::next_firing(const Seat& seat) const {
  return std::max(next_due(seat), seat.fired_ns + between_firings_ns);
}

bool ThreadPool::fire_timers(Seat& seat, std::int64_t now_ns) {
  TimerWheel& timers = seat.worker.timers;
  if (timers.next_due() > now_ns) [[likely]]
    return false;
  timers.fire_due(now_ns, [&](const Timer& timer) { hooks_.fire(seat.worker.local, timer); });
  seat.fired_ns = now_ns;
  return true;
}

// Of one who cannot.
bool ThreadPool::fire_timers_of(Seat& victim, Seat& seat, std::int64_t now_ns) {
  TimerWheel& timers = victim.worker.timers;
  if (timers.next_due() > now_ns) return false;
  timers.fire_due_as_other(now_ns,
                           [&](const Timer& timer) { hooks_.fire(seat.worker.local, timer); });
  return true;
}

}  // namespace actord::sched
