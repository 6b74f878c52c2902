// SPDX-License-Identifier: Apache-2.0
#include "sched/pinned_pool.hpp"

#include <algorithm>
#include <system_error>

#include "base/assert.hpp"

namespace actord::sched {

PinnedPool::PinnedPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks), settings_(settings) {
  is_shared_ = true;  // whatever a task makes runnable runs on another thread
}

void PinnedPool::stop() {
  std::vector<std::unique_ptr<Seat>> seats;
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
    seats.swap(seats_);
    for (auto& seat : seats) seat->wake.notify_all();
  }
  for (auto& seat : seats) seat->thread.join();
}

void PinnedPool::inject(Task* task) {
  std::lock_guard lock(mutex_);
  if (is_stopping_) return;
  Seat* const seat = seat_of(task);
  ACTORD_ASSERT(!is_queued(*seat, task));
  seat->tasks.push_back(task);
  seat->wake.notify_one();
}

bool PinnedPool::is_queued(const Seat& seat, const Task* task) {
  return std::ranges::find(seat.tasks, task) != seat.tasks.end();
}

// What is to be run of it has run; its thread may still be on the way out.
void PinnedPool::retire(Task* task) {
  std::lock_guard lock(mutex_);
  const auto at = seat_of_.find(task);
  if (at == seat_of_.end() || is_stopping_) return;
  ACTORD_ASSERT(!is_queued(*at->second, task));  // what is retired must not run any more
  if (--at->second->owners == 0) at->second->wake.notify_one();
  seat_of_.erase(at);
}

PinnedPool::Seat* PinnedPool::seat_of(Task* task) {
  const auto [at, is_new] = seat_of_.try_emplace(task, nullptr);
  if (is_new) {
    at->second = add_seat();
    ++at->second->owners;
  }
  return at->second;
}

PinnedPool::Seat* PinnedPool::add_seat() {
  std::erase_if(seats_, [](const auto& seat) {
    if (seat->has_ended) seat->thread.join();
    return seat->has_ended;
  });
  Seat* const seat =
      seats_.emplace_back(std::make_unique<Seat>(*this, last_index_++, settings_.slice)).get();
  try {
    seat->thread = base::Thread([this, seat] { loop(*seat); });
    return seat;
  } catch (const std::system_error&) {  // the process has as many as it may
    seats_.pop_back();
    const auto least = std::ranges::min_element(seats_, {}, [](const auto& other) {
      return other->owners == 0 ? UINT32_MAX : other->owners;
    });
    ACTORD_ASSERT(least != seats_.end() && (*least)->owners != 0);  // without one nobody would run
    return least->get();
  }
}

void PinnedPool::loop(Seat& seat) {
  seat.worker.local = hooks_.attach(hooks_.owner, seat.worker);
  while (Task* const task = wait_for_task(seat)) hooks_.run(seat.worker.local, task);
  ACTORD_ASSERT(seat.worker.queue.is_empty());  // all that is scheduled here goes to a seat
  hooks_.detach(hooks_.owner, seat.worker.local);
  std::lock_guard lock(mutex_);
  seat.has_ended = true;
}

// Null: the thread is no longer needed.
Task* PinnedPool::wait_for_task(Seat& seat) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_stopping_) return nullptr;
    if (!seat.tasks.empty()) break;
    if (seat.owners == 0) return nullptr;
    seat.wake.wait(lock);
  }
  Task* const task = seat.tasks.front();
  seat.tasks.pop_front();
  return task;
}

}  // namespace actord::sched
