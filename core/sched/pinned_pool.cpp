// SPDX-License-Identifier: Apache-2.0
#include "sched/pinned_pool.hpp"

#include <algorithm>
#include <system_error>

#include "base/assert.hpp"

namespace actord::sched {

PinnedPool::PinnedPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks), settings_(settings) {
  is_shared_ = true;  // a task that becomes runnable on one thread may belong to another
}

void PinnedPool::stop() {
  std::vector<std::unique_ptr<WorkerSlot>> slots;
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
    slots.swap(slots_);
    for (auto& slot : slots) slot->wake.notify_all();
  }
  for (auto& slot : slots) {
    if (slot->thread.joinable()) slot->thread.join();
  }
}

void PinnedPool::inject(Task* task) {
  std::lock_guard lock(mutex_);
  if (is_stopping_) return;
  WorkerSlot* const slot = slot_of(task);
  ACTORD_ASSERT(!is_queued(*slot, task));
  slot->tasks.push_back(task);
  slot->wake.notify_one();
}

bool PinnedPool::is_queued(const WorkerSlot& slot, const Task* task) {
  return std::ranges::find(slot.tasks, task) != slot.tasks.end();
}

// `task` has run for the last time, but its thread may not have returned from it yet.
void PinnedPool::retire(Task* task) {
  std::lock_guard lock(mutex_);
  const auto at = slot_of_.find(task);
  if (at == slot_of_.end() || is_stopping_) return;
  ACTORD_ASSERT(!is_queued(*at->second, task));  // a retired task must not run any more
  if (--at->second->pinned_tasks == 0) at->second->wake.notify_one();
  slot_of_.erase(at);
}

PinnedPool::WorkerSlot* PinnedPool::slot_of(Task* task) {
  const auto [at, is_new] = slot_of_.try_emplace(task, nullptr);
  if (is_new) {
    at->second = add_slot();
    ++at->second->pinned_tasks;
  }
  return at->second;
}

PinnedPool::WorkerSlot* PinnedPool::add_slot() {
  std::erase_if(slots_, [](const auto& slot) {
    if (slot->has_ended) slot->thread.join();
    return slot->has_ended;
  });
  WorkerSlot* const slot =
      slots_.emplace_back(std::make_unique<WorkerSlot>(*this, last_index_++, settings_.slice))
          .get();
  if (start(*slot)) return slot;
  // The process may have no more threads: a slot that has one is shared.
  const auto cost = [](const auto& other) {
    const bool is_shared = other->thread.joinable() && other->pinned_tasks != 0;
    return is_shared ? other->pinned_tasks : UINT32_MAX;
  };
  const auto least = std::ranges::min_element(slots_, {}, cost);
  if (cost(*least) == UINT32_MAX) {
    // The tasks wait, and waiting_for_thread() must be asked soon.
    if (hooks_.on_busy != nullptr) hooks_.on_busy(hooks_.owner);
    return slot;
  }
  WorkerSlot* const shared = least->get();
  slots_.pop_back();
  return shared;
}

bool PinnedPool::start(WorkerSlot& slot) {
  try {
    slot.thread = base::Thread([this, &slot] { loop(slot); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

// It is called again and again while tasks wait, so that a thread which the process could not have
// when it was needed starts as soon as it can.
std::size_t PinnedPool::waiting_for_thread() {
  std::lock_guard lock(mutex_);
  if (is_stopping_) return 0;
  std::size_t waiting = 0;
  for (const auto& slot : slots_) {
    if (!slot->thread.joinable() && !start(*slot)) waiting += slot->tasks.size();
  }
  return waiting;
}

void PinnedPool::loop(WorkerSlot& slot) {
  slot.worker.thread_state = hooks_.attach(hooks_.owner, slot.worker);
  while (Task* const task = wait_for_task(slot)) {
    if (hooks_.on_busy != nullptr) hooks_.on_busy(hooks_.owner);
    hooks_.run(slot.worker.thread_state, task);
    slot.worker.count_run();
  }
  ACTORD_ASSERT(slot.worker.queue.is_empty());  // tasks scheduled here go to WorkerSlot::tasks
  hooks_.detach(hooks_.owner, slot.worker.thread_state);
  std::lock_guard lock(mutex_);
  slot.has_ended = true;
}

// Returns null when the thread is to end.
Task* PinnedPool::wait_for_task(WorkerSlot& slot) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_stopping_) return nullptr;
    if (!slot.tasks.empty()) break;
    if (slot.pinned_tasks == 0) return nullptr;
    slot.wake.wait(lock);
  }
  Task* const task = slot.tasks.front();
  slot.tasks.pop_front();
  return task;
}

}  // namespace actord::sched
