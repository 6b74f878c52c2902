// SPDX-License-Identifier: Apache-2.0
//
// A double-ended queue of tasks.
#pragma once

#include <cstdint>
#include <memory>

#include "base/assert.hpp"
#include "sched/task.hpp"

namespace actord::sched {

/// Not thread-safe. A push grows the ring when it is full; the ring never shrinks.
class TaskRing {
 public:
  std::uint32_t size() const noexcept { return size_; }
  Task* operator[](std::uint32_t i) const noexcept { return slots_[at(i)]; }  // 0 is the front

  void push_front(Task* task) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    head_ = (head_ - 1) & (capacity_ - 1);
    slots_[head_] = task;
    ++size_;
  }
  void push_back(Task* task) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    slots_[at(size_++)] = task;
  }
  /// Both pops assert that there is a task.
  Task* pop_front() noexcept {
    ACTORD_ASSERT(size_ != 0);
    Task* const task = slots_[head_];
    head_ = at(1);
    --size_;
    return task;
  }
  Task* pop_back() noexcept {
    ACTORD_ASSERT(size_ != 0);
    return slots_[at(--size_)];
  }

 private:
  static constexpr std::uint32_t initial_capacity = 64;

  std::uint32_t at(std::uint32_t i) const noexcept { return (head_ + i) & (capacity_ - 1); }
  void grow();

  std::uint32_t head_ = 0, size_ = 0;
  std::uint32_t capacity_ = initial_capacity;  // a power of two
  std::unique_ptr<Task*[]> slots_{new Task*[initial_capacity]};
};

}  // namespace actord::sched
