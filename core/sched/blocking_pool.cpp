// SPDX-License-Identifier: Apache-2.0
#include "sched/blocking_pool.hpp"

#include <algorithm>
#include <system_error>

#include "base/assert.hpp"
#include "base/clock.hpp"

namespace actord::sched {

BlockingPool::BlockingPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks), settings_(settings) {
  is_shared_ = true;
}

void BlockingPool::stop() {
  std::vector<std::unique_ptr<WorkerSlot>> slots;
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
    slots.swap(slots_);
  }
  for (auto& slot : slots) slot->parker.unpark();
  for (auto& slot : slots) slot->thread.join();
  ACTORD_ASSERT(alive_ == 0);  // every thread was counted at its start and at its end
}

void BlockingPool::inject(Task* task) {
  std::lock_guard lock(mutex_);
  if (is_stopping_) return;
  ACTORD_ASSERT(tasks_.empty() || tasks_.back() != task);
  tasks_.push_back(task);
  if (!sleepers_.empty()) {
    sleepers_.back()->parker.unpark();
    sleepers_.pop_back();
  } else if (alive_ < settings_.threads_max) {
    add_thread();
  }
}

// A task for which a thread was woken or started waits only until that thread runs. A task beyond
// these waits until a thread is free.
// It is called again and again while tasks wait, so that a thread which the process could not have
// when it was needed starts as soon as it can.
std::size_t BlockingPool::waiting_for_thread() {
  std::lock_guard lock(mutex_);
  if (alive_ == 0 && !tasks_.empty() && !is_stopping_) add_thread();
  return sleepers_.empty() ? tasks_.size() : 0;
}

void BlockingPool::add_thread() {
  std::erase_if(slots_, [](const auto& slot) {
    if (slot->has_ended) slot->thread.join();
    return slot->has_ended;
  });
  auto& slot =
      *slots_.emplace_back(std::make_unique<WorkerSlot>(*this, last_index_++, settings_.slice));
  try {
    slot.thread = base::Thread([this, &slot] { loop(slot); });
    ++alive_;
  } catch (const std::system_error&) {  // the process may have no more threads
    slots_.pop_back();
    // Without a thread the tasks wait, and waiting_for_thread() must be asked soon.
    if (alive_ == 0 && hooks_.on_busy != nullptr) hooks_.on_busy(hooks_.owner);
  }
}

void BlockingPool::loop(WorkerSlot& slot) {
  slot.worker.thread_state = hooks_.attach(hooks_.owner, slot.worker);
  while (Task* const task = wait_for_task(slot)) {
    if (hooks_.on_busy != nullptr) hooks_.on_busy(hooks_.owner);
    hooks_.run(slot.worker.thread_state, task);
    slot.worker.count_run();
  }
  ACTORD_ASSERT(slot.worker.queue.is_empty());  // tasks scheduled here go to `tasks_`
  hooks_.detach(hooks_.owner, slot.worker.thread_state);
  std::lock_guard lock(mutex_);
  slot.has_ended = true;
}

// Returns null when the thread is to end; `alive_` no longer counts it then.
Task* BlockingPool::wait_for_task(WorkerSlot& slot) {
  std::unique_lock lock(mutex_);
  std::int64_t deadline = 0;  // end of keep_alive; 0: the thread has not been idle yet
  while (!is_stopping_) {
    if (!tasks_.empty()) {
      Task* const task = tasks_.front();
      tasks_.pop_front();
      return task;
    }
    const std::int64_t now = base::monotonic_ns();
    // The last thread stays, since the process might not be able to start another one later.
    const bool is_spare = alive_ > std::max(settings_.threads_min, 1u);
    if (deadline == 0) deadline = now + settings_.keep_alive_ns;
    if (is_spare && now >= deadline) break;
    sleepers_.push_back(&slot);
    lock.unlock();
    slot.parker.park_until(is_spare ? deadline : base::Parker::never);
    lock.lock();
    std::erase(sleepers_, &slot);
  }
  ACTORD_ASSERT(alive_ != 0);
  --alive_;
  return nullptr;
}

}  // namespace actord::sched
