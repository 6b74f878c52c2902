// SPDX-License-Identifier: Apache-2.0
#include "sched/thread_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/clock.hpp"

namespace actord::sched {

namespace {

constexpr unsigned seats_max = 64;
constexpr std::uint64_t fairness_period = 61;  // every so many tasks the oldest one is next
constexpr std::int64_t worth_stealing_ns =
    10'000;                               // a backlog below this is done sooner than moved
constexpr std::int64_t spin_ns = 20'000;  // about one wake-up of another core
constexpr std::int64_t watch_ns = 1'000'000;

// hardware_concurrency() ignores the affinity mask in some libraries; the mask does not lie.
unsigned available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace

ThreadPool::ThreadPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks) {
  const unsigned wanted = settings.threads_min != 0 ? settings.threads_min : available_cpus();
  for (unsigned i = 0; i < std::min(wanted, seats_max); ++i) {
    seats_.push_back(std::make_unique<Seat>(*this, i, settings.slice));
  }
}

void ThreadPool::start() {
  running_.store(static_cast<std::uint32_t>(seats_.size()), base::relaxed);
  for (auto& seat : seats_) seat->thread = base::Thread([this, &seat = *seat] { loop(seat); });
}

void ThreadPool::stop() {
  is_stopping_.store(true, base::seq_cst);
  for (auto& seat : seats_) seat->parker.unpark();
  for (auto& seat : seats_) {
    if (seat->thread.joinable()) seat->thread.join();
  }
}

void ThreadPool::inject(Task* task) {
  {
    std::lock_guard lock(injected_mutex_);
    injected_.push_back(task);
  }
  injected_count_.fetch_add(1, base::seq_cst);  // before the look at idle_, see sleep()
  wake_one();
}

void ThreadPool::on_backlog(Worker& worker, std::uint32_t) {
  worker.is_unwatched = false;
  if (idle_.load(base::relaxed) != 0) wake_one();
}

void ThreadPool::loop(Seat& seat) {
  seat.worker.local = hooks_.attach(hooks_.owner, seat.worker);
  std::vector<Glance> glances(seats_.size());
  bool was_asleep = false;
  while (!is_stopping_.load(base::relaxed)) {
    Task* task = next(seat);
    if (task == nullptr) task = wait_for_task(seat, glances);
    if (task == nullptr) {
      was_asleep = true;
      continue;
    }
    if (std::exchange(was_asleep, false)) replace_watcher(seat);
    hooks_.run(seat.worker.local, task);
    seat.worker.runs.store(seat.worker.runs.load(base::relaxed) + 1, base::relaxed);
  }
  hooks_.detach(hooks_.owner, seat.worker.local);
}

Task* ThreadPool::next(Seat& seat) {
  if (seat.worker.runs.load(base::relaxed) % fairness_period == 0) [[unlikely]] {
    if (Task* const task = pop_injected()) return task;
    if (Task* const task = seat.worker.queue.pop_oldest()) return task;
  }
  if (Task* const task = seat.worker.queue.pop_newest()) return task;
  return pop_injected();
}

Task* ThreadPool::pop_injected() {
  if (injected_count_.load(base::seq_cst) == 0) return nullptr;
  std::lock_guard lock(injected_mutex_);
  if (injected_.empty()) return nullptr;
  Task* const task = injected_.front();
  injected_.pop_front();
  injected_count_.fetch_sub(1, base::relaxed);
  return task;
}

// Spins for about the price of a wake-up, then sleeps once. Null: look again.
Task* ThreadPool::wait_for_task(Seat& seat, std::vector<Glance>& glances) {
  const std::int64_t start = base::monotonic_ns();
  look_at_others(seat, glances, 0);  // the first look only takes down what is there
  for (std::int64_t now = start; now - start < spin_ns && !is_stopping_.load(base::relaxed);) {
    for (int i = 0; i < 32; ++i) base::cpu_relax();
    if (Task* const task = pop_injected()) return task;
    now = base::monotonic_ns();
    if (Task* const task = look_at_others(seat, glances, now - start)) return task;
  }
  sleep(seat);
  return nullptr;
}

// From two looks follows how long one task takes there, and so how much time waits in the queue. A
// worker that ran nothing in between is stuck in a long task: then even its newest one is taken.
Task* ThreadPool::look_at_others(Seat& seat, std::vector<Glance>& glances, std::int64_t since_ns) {
  for (auto& other : seats_) {
    if (other.get() == &seat) continue;
    Worker& victim = other->worker;
    Glance& glance = glances[victim.index()];
    const std::uint64_t runs = victim.runs.load(base::relaxed);
    if (since_ns == 0) {
      glance.runs = runs;
      continue;
    }
    const std::uint64_t ran = runs - glance.runs;
    const bool is_stuck = ran == 0 && !victim.queue.is_empty() && since_ns >= worth_stealing_ns;
    const std::uint32_t waiting = victim.queue.waiting();
    const bool is_worth_it =
        ran != 0 && waiting >= 2 &&
        waiting * (since_ns / static_cast<std::int64_t>(ran)) >= worth_stealing_ns;
    if (!is_stuck && !is_worth_it) continue;
    if (Task* const task = victim.queue.steal_for(seat.worker.queue, is_stuck)) return task;
  }
  return nullptr;
}

void ThreadPool::sleep(Seat& seat) {
  const std::uint64_t bit = std::uint64_t{1} << seat.worker.index();
  idle_.fetch_or(bit, base::seq_cst);  // before the look for tasks, see inject()
  const bool is_last = running_.fetch_sub(1, base::seq_cst) == 1;
  if (injected_count_.load(base::seq_cst) == 0 && !is_stopping_.load(base::seq_cst) &&
      !(is_last && has_work())) {
    seat.parker.park(is_last ? 0 : watch_ns);
  }
  running_.fetch_add(1, base::seq_cst);
  idle_.fetch_and(~bit, base::seq_cst);
}

// A sleeper that has found a task watches no longer: another must, or nobody would take over from a
// worker that is stuck. Who runs alone has nothing to lose before its first push, and that wakes.
void ThreadPool::replace_watcher(Seat& seat) {
  const bool is_alone = running_.load(base::seq_cst) == 1 && seat.worker.queue.is_empty();
  if (is_alone) seat.worker.is_unwatched = true;
  else if (idle_.load(base::relaxed) != 0) wake_one();
}

bool ThreadPool::has_work() const {
  return std::ranges::any_of(seats_,
                             [](const auto& seat) { return !seat->worker.queue.is_empty(); });
}

bool ThreadPool::wake_one() {
  for (std::uint64_t idle = idle_.load(base::seq_cst); idle != 0;) {
    const std::uint64_t bit = idle & (~idle + 1);
    if (idle_.compare_exchange_weak(idle, idle & ~bit, base::seq_cst)) {
      seats_[static_cast<std::size_t>(std::countr_zero(bit))]->parker.unpark();
      return true;
    }
  }
  return false;
}

}  // namespace actord::sched
