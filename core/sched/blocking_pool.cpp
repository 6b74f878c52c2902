// SPDX-License-Identifier: Apache-2.0
#include "sched/blocking_pool.hpp"

#include <algorithm>
#include <system_error>

#include "base/assert.hpp"

namespace actord::sched {

BlockingPool::BlockingPool(std::uint16_t id, const DispatcherSettings& settings, const Hooks& hooks)
    : Dispatcher(id), hooks_(hooks), settings_(settings) {
  is_shared_ = true;
}

void BlockingPool::stop() {
  std::vector<std::unique_ptr<Seat>> seats;
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
    seats.swap(seats_);
  }
  wake_.notify_all();
  for (auto& seat : seats) seat->thread.join();
}

void BlockingPool::inject(Task* task) {
  {
    std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    tasks_.push_back(task);
    if (tasks_.size() > waiting_ && alive_ < settings_.threads_max) add_thread();
  }
  wake_.notify_one();
}

void BlockingPool::add_thread() {
  std::erase_if(seats_, [](const auto& seat) {
    if (seat->has_ended) seat->thread.join();
    return seat->has_ended;
  });
  auto& seat = *seats_.emplace_back(std::make_unique<Seat>(*this, last_index_++, settings_.slice));
  try {
    seat.thread = base::Thread([this, &seat] { loop(seat); });
    ++alive_;
  } catch (const std::system_error&) {  // the process has as many as it may
    seats_.pop_back();
    ACTORD_ASSERT(alive_ > 0);  // those there are go on; without one nobody would
  }
}

void BlockingPool::loop(Seat& seat) {
  seat.worker.local = hooks_.attach(hooks_.owner, seat.worker);
  while (Task* const task = wait_for_task(seat)) hooks_.run(seat.worker.local, task);
  hooks_.detach(hooks_.owner, seat.worker.local);
  std::lock_guard lock(mutex_);
  seat.has_ended = true;
}

// Null: the thread is no longer needed, and no longer counted.
Task* BlockingPool::wait_for_task(Seat&) {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    if (!tasks_.empty()) {
      Task* const task = tasks_.front();
      tasks_.pop_front();
      return task;
    }
    ++waiting_;
    const bool is_spare = alive_ > settings_.threads_min;
    bool is_too_long = false;
    if (is_spare) {
      is_too_long = wake_.wait_for(lock, std::chrono::nanoseconds{settings_.keep_alive_ns}) ==
                    std::cv_status::timeout;
    } else {
      wake_.wait(lock);
    }
    --waiting_;
    if (is_too_long && tasks_.empty() && alive_ > settings_.threads_min) break;
  }
  --alive_;
  return nullptr;
}

}  // namespace actord::sched
