// SPDX-License-Identifier: Apache-2.0
//
// One who runs tasks. What a worker does is the same everywhere; who drives it, a thread or the
// simulator, is its dispatcher's affair.
#pragma once

#include <cstdint>

#include "sched/run_queue.hpp"
#include "sched/task.hpp"

namespace actord::sched {

class Dispatcher;

class Worker {
 public:
  Worker(Dispatcher& home, unsigned index, Slice slice_)
      : slice(slice_), home_(home), index_(index) {}

  /// Owner thread: `task` has become runnable, here. Its turn comes next.
  void schedule(Task* task);
  /// Owner thread: `task` has used up its slice; everybody else comes first.
  void schedule_last(Task* task);

  Dispatcher& home() const noexcept { return home_; }
  unsigned index() const noexcept { return index_; }

  Slice slice;
  void* local = nullptr;  // what Hooks::attach answered
  RunQueue queue;
  base::Atomic<std::uint64_t> runs{0};  // tasks run so far; written by the owner
  bool is_unwatched = false;            // owner: the next push is told to the dispatcher

 private:
  Dispatcher& home_;
  const unsigned index_;
};

/// Workers that share work. The id is what tasks remember of where they belong.
class Dispatcher {
 public:
  explicit Dispatcher(std::uint16_t id) : id_(id) {}
  virtual ~Dispatcher() = default;
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  std::uint16_t id() const noexcept { return id_; }

  /// Any thread: `task` has become runnable, somewhere else.
  virtual void inject(Task* task) = 0;
  /// Owner thread of `worker`: its queue has grown to `waiting` tasks behind the newest, or the
  /// worker is unwatched.
  virtual void on_backlog(Worker& worker, std::uint32_t waiting) = 0;
  /// Whether tasks scheduled on a worker go to all of them at once, as where handlers may block.
  bool is_shared() const noexcept { return is_shared_; }

 protected:
  bool is_shared_ = false;

 private:
  const std::uint16_t id_;
};

inline void Worker::schedule(Task* task) {
  if (home_.is_shared()) [[unlikely]]
    return home_.inject(task);
  const std::uint32_t waiting = queue.push_newest(task);
  if (is_unwatched || (waiting != 0 && (waiting & 7) == 0)) [[unlikely]]
    home_.on_backlog(*this, waiting);
}

inline void Worker::schedule_last(Task* task) {
  if (home_.is_shared()) [[unlikely]]
    return home_.inject(task);
  queue.push_oldest(task);
}

}  // namespace actord::sched
