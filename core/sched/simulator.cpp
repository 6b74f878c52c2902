// SPDX-License-Identifier: Apache-2.0
#include "sched/simulator.hpp"

#include <deque>

#include "base/assert.hpp"

namespace actord::sched {

// The workers of one dispatcher, with real queues, so that their order and stealing are played too.
class Simulator::Group final : public Dispatcher {
 public:
  Group(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks, unsigned workers)
      : Dispatcher(id), hooks_(hooks) {
    is_shared_ = settings.kind == DispatcherSettings::Kind::blocking;
    for (unsigned i = 0; i < workers; ++i)
      workers_.push_back(std::make_unique<Worker>(*this, i, Slice{1, 0}));
  }

  void attach() {
    for (auto& worker : workers_) worker->local = hooks_.attach(hooks_.owner, *worker);
  }
  void detach() {
    for (auto& worker : workers_) {
      if (worker->local != nullptr) hooks_.detach(hooks_.owner, worker->local);
      worker->local = nullptr;
    }
  }

  void inject(Task* task) override { injected_.push_back(task); }
  void on_backlog(Worker&, std::uint32_t) override {}

  // Runs one task, on the worker that chance names and from wherever chance says; false if there is
  // none.
  bool step(base::Random& random, std::uint32_t slice_max) {
    Worker& worker = *workers_[random.below(workers_.size())];
    Task* const task = take(worker, random);
    if (task == nullptr) return false;
    worker.slice.messages = 1 + static_cast<std::uint32_t>(random.below(slice_max));
    hooks_.run(worker.local, task);
    return true;
  }

 private:
  Task* take(Worker& worker, base::Random& random) {
    const std::uint64_t choice = random.below(8);
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
      if (Task* const task = victim->queue.steal_for(worker.queue, true)) return task;
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

Simulator::Simulator(Options options) : options_(options), random_(options.seed), timers_([] {}) {}

Simulator::~Simulator() { stop(); }

Dispatcher& Simulator::add(const DispatcherSettings& settings, const Hooks& hooks) {
  const auto id = static_cast<std::uint16_t>(groups_.size() + 1);
  return *groups_.emplace_back(std::make_unique<Group>(id, settings, hooks, options_.workers));
}

void Simulator::start(std::function<void(const TimerQueue::Entry&)> on_timer) {
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
  const std::size_t first = random_.below(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[(first + i) % groups_.size()]->step(random_, options_.slice_max)) return true;
  }
  return false;
}

std::uint64_t Simulator::run_until_idle(std::uint64_t limit) {
  std::uint64_t ran = 0;
  while (ran < limit && step()) ++ran;
  return ran;
}

void Simulator::advance(std::int64_t duration_ns) {
  const std::int64_t until = now_ns_ + duration_ns;
  run_until_idle();
  for (auto due = timers_.next_due(); due && *due <= until; due = timers_.next_due()) {
    if (*due > now_ns_) now_ns_ = *due;
    while (const auto entry = timers_.pop_due(now_ns_)) on_timer_(*entry);
    run_until_idle();
  }
  now_ns_ = until;
}

bool Simulator::advance_to_next_timer() {
  const auto due = timers_.next_due();
  if (!due) return false;
  advance(*due > now_ns_ ? *due - now_ns_ : 0);
  return true;
}

}  // namespace actord::sched
