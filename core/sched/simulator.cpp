// SPDX-License-Identifier: Apache-2.0
#include "sched/simulator.hpp"

#include <algorithm>
#include <deque>

namespace actord::sched {

// The workers of one dispatcher. They have real run queues, so that the order of tasks and stealing
// are simulated too.
class Simulator::Group final : public Dispatcher {
 public:
  Group(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks, unsigned workers)
      : Dispatcher(id), hooks_(hooks) {
    is_shared_ = settings.kind != DispatcherSettings::Kind::pool;
    flushes_stuck_ = !is_shared_ && hooks.flush_stuck != nullptr;
    for (unsigned i = 0; i < workers; ++i)
      workers_.push_back(std::make_unique<Worker>(*this, i, Slice{1, 0}));
  }

  void attach() {
    for (auto& worker : workers_) worker->thread_state = hooks_.attach(hooks_.owner, *worker);
  }
  void detach() {
    for (auto& worker : workers_) {
      if (worker->thread_state != nullptr) hooks_.detach(hooks_.owner, worker->thread_state);
      worker->thread_state = nullptr;
    }
  }

  void inject(Task* task) override { injected_.push_back(task); }
  void on_backlog(Worker&) override {}

  // Runs one task: `choose` picks the worker and from which queue the task comes. False: no task.
  template <class Choose>
  bool step(Choose&& choose, std::uint32_t slice_max) {
    Worker& worker = *workers_[choose(workers_.size())];
    Task* const task = take(worker, choose);
    if (task == nullptr) return false;
    run(worker, task, 1 + choose(slice_max));
    return true;
  }

  // Moves all tasks into one list, oldest first, for Pick::priority and Pick::any.
  std::deque<Task*>& gather() {
    for (auto& worker : workers_) {
      while (Task* const task = worker->queue.pop_oldest()) injected_.push_back(task);
      while (Task* const task = worker->queue.pop_newest()) injected_.push_back(task);
    }
    return injected_;
  }
  template <class Choose>
  void run_gathered(std::size_t at, Choose&& choose, std::uint32_t slice_max) {
    Task* const task = injected_[at];
    injected_.erase(injected_.begin() + static_cast<std::ptrdiff_t>(at));
    // A statement of its own, so that the two choices are always made in this order.
    Worker& worker = *workers_[choose(workers_.size())];
    run(worker, task, 1 + choose(slice_max));
  }

  void list(std::vector<const Task*>& out) const {
    out.insert(out.end(), injected_.begin(), injected_.end());
    for (const auto& worker : workers_)
      worker->queue.visit([&](const Task* task) { out.push_back(task); });
  }

 private:
  // Runs `task` with a slice of `messages` messages.
  void run(Worker& worker, Task* task, std::uint64_t messages) {
    worker.slice.messages = static_cast<std::uint32_t>(messages);
    hooks_.run(worker.thread_state, task);
    worker.count_run();
  }
  // Choice 0 prefers the worker's oldest task, 1 an injected one, 2 an injected or stolen one; the
  // other five prefer the worker's newest task.
  template <class Choose>
  Task* take(Worker& worker, Choose&& choose) {
    const std::uint64_t choice = choose(8);
    if (choice == 0) {
      if (Task* const task = worker.queue.pop_oldest()) return task;
    }
    if (choice == 1) {
      if (Task* const task = pop_injected()) return task;
    }
    if (choice != 2) {
      if (Task* const task = worker.queue.pop_newest()) return task;
    }
    if (Task* const task = pop_injected()) return task;
    for (auto& victim : workers_) {
      if (Task* const task = victim->queue.steal_for(worker.queue, RunQueue::StealAmount::all))
        return task;
    }
    return nullptr;
  }
  Task* pop_injected() {
    if (injected_.empty()) return nullptr;
    Task* const task = injected_.front();
    injected_.pop_front();
    return task;
  }

  const Hooks hooks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::deque<Task*> injected_;
};

Simulator::Simulator(Options options)
    : options_(std::move(options)), random_(options_.seed), timers_([] {}) {
  if (options_.pick != Pick::priority) return;
  for (unsigned i = 0; i < options_.priority_changes; ++i)
    demotion_steps_.push_back(choose(std::max<std::uint64_t>(options_.expected_steps, 1)));
}

Simulator::~Simulator() { stop(); }

Dispatcher& Simulator::add(const DispatcherSettings& settings, const Hooks& hooks) {
  ACTORD_ASSERT(!is_running_);
  const auto id = static_cast<std::uint16_t>(groups_.size() + 1);
  return *groups_.emplace_back(std::make_unique<Group>(id, settings, hooks, options_.workers));
}

void Simulator::start(std::function<void(const Timer&)> on_timer) {
  ACTORD_ASSERT(!is_running_);
  on_timer_ = std::move(on_timer);
  is_running_ = true;
  for (auto& group : groups_) group->attach();
}

void Simulator::stop() {
  if (!is_running_) return;
  is_running_ = false;
  for (auto& group : groups_) group->detach();
}

bool Simulator::step() {
  ACTORD_ASSERT(is_running_);
  if (options_.pick != Pick::worker) return step_gathered();
  const auto choice = [this](std::uint64_t bound) { return choose(bound); };
  const std::size_t first = choose(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[(first + i) % groups_.size()]->step(choice, options_.slice_max)) return true;
  }
  return false;
}

// Draws the priority of a new task, above those of all demoted tasks. A demoted task is below all
// that were demoted before it.
std::uint64_t Simulator::priority_of(const Task* task) {
  const auto [at, is_new] = priorities_.try_emplace(task, 0);
  if (is_new) at->second = (std::uint64_t{1} << 32) + choose(std::uint64_t{1} << 31);
  return at->second;
}

bool Simulator::step_gathered() {
  const auto choice = [this](std::uint64_t bound) { return choose(bound); };
  std::size_t count = 0;
  for (auto& group : groups_) count += group->gather().size();
  if (count == 0) return false;
  Group* chosen = nullptr;
  std::size_t at = 0;
  if (options_.pick == Pick::any) {
    at = choose(count);
    for (auto& group : groups_) {
      chosen = group.get();
      if (at < group->gather().size()) break;
      at -= group->gather().size();
    }
  } else {
    std::uint64_t highest = 0;
    const Task* best = nullptr;
    for (auto& group : groups_) {
      const std::deque<Task*>& ready = group->gather();
      for (std::size_t i = 0; i < ready.size(); ++i) {
        const std::uint64_t priority = priority_of(ready[i]);
        if (best != nullptr && priority <= highest) continue;
        highest = priority, best = ready[i], chosen = group.get(), at = i;
      }
    }
    // A demoted task still runs in this step; the rest of its work waits for the other tasks.
    if (std::ranges::find(demotion_steps_, steps_) != demotion_steps_.end())
      priorities_[best] = (std::uint64_t{1} << 31) - ++demotions_;
    ++steps_;
  }
  chosen->run_gathered(at, choice, options_.slice_max);
  return true;
}

std::vector<const Task*> Simulator::runnable() const {
  std::vector<const Task*> tasks;
  for (const auto& group : groups_) group->list(tasks);
  return tasks;
}

std::uint64_t Simulator::run_until_idle(std::uint64_t limit) {
  std::uint64_t ran = 0;
  while (ran < limit && step()) ++ran;
  return ran;
}

void Simulator::advance(std::int64_t duration_ns) {
  const std::int64_t until = now_ns_ + duration_ns;
  run_until_idle();
  for (auto due = timers_.earliest_due(); due <= until; due = timers_.earliest_due()) {
    skip_to(due);
    run_until_idle();
  }
  now_ns_ = until;
}

void Simulator::skip_to(std::int64_t now_ns) {
  if (now_ns > now_ns_) now_ns_ = now_ns;
  timers_.fire_due(now_ns_, on_timer_);
}

bool Simulator::advance_to_next_timer() {
  const std::int64_t due = timers_.earliest_due();
  if (due == TimerWheel::never) return false;
  advance(due > now_ns_ ? due - now_ns_ : 0);
  return true;
}

}  // namespace actord::sched
