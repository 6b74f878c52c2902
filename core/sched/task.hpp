// SPDX-License-Identifier: Apache-2.0
//
// What can be scheduled, and what the scheduler calls in the layer above. The scheduler knows
// nothing of actors.
#pragma once

#include <cstdint>

namespace actord::sched {

class Worker;
struct Timer;

/// A unit of scheduling. The layer above derives from it and schedules each task once at a time.
struct Task {};

/// What a dispatcher calls in the layer above, mostly on the thread of a worker. `owner` is handed
/// back to some of the functions and not used otherwise.
struct Hooks {
  void* owner;
  /// Before the first task of a worker, on its thread: returns the worker's `thread_state`.
  void* (*attach)(void* owner, Worker& worker);
  /// After the last task of a worker, on its thread.
  void (*detach)(void* owner, void* thread_state);
  /// Runs `task`, and then those that Worker::next_task() returns.
  void (*run)(void* thread_state, Task* task);
  /// A worker's timer is due. Called on its worker, or on another one if its worker is late.
  void (*fire)(void* thread_state, const Timer& timer) = nullptr;
  /// Whether there is something to trim. Called by any worker, before it sleeps. Null: never.
  bool (*needs_trim)(void* owner) = nullptr;
  /// Called by one worker that has slept for a second, if all workers of its dispatcher are idle.
  void (*trim)(void* owner) = nullptr;
  /// Called by an idle worker, that of `thread_state`, when the running task of the worker of
  /// `other_thread_state` takes long: sends the output that the task has buffered until its end.
  void (*flush_stuck)(void* thread_state, void* other_thread_state) = nullptr;
  /// Called by a worker that has waited for a task and got one, before it runs it. Null: never.
  void (*on_busy)(void* owner) = nullptr;
};

/// How long a task may run before its worker turns to another: at least `messages` messages, then
/// until `ns` nanoseconds have passed. 0 ns: `messages` alone counts.
struct Slice {
  std::uint32_t messages = 64;
  std::int64_t ns = 20'000;
};

}  // namespace actord::sched
