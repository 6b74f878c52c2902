// SPDX-License-Identifier: Apache-2.0
//
// What can be scheduled, and what the scheduler asks of those who schedule. It has never heard of
// actors.
#pragma once

#include <cstdint>

namespace actord::sched {

class Worker;
struct Timer;

/// Anything that runs. Whoever derives from it makes sure that it is scheduled once at a time.
struct Task {};

/// How the layer above takes part in a worker's life. `attach` runs on the worker before its first
/// task and answers the worker's own state; `run` is given that state with every task, but those
/// that Worker::next_at_once() has answered it; `fire` with every timer of a worker that is due.
struct Hooks {
  void* owner;
  void* (*attach)(void* owner, Worker& worker);
  void (*detach)(void* owner, void* thread_state);
  void (*run)(void* thread_state, Task* task);
  void (*fire)(void* thread_state, const Timer& timer) = nullptr;
  /// When nothing has run for a second: whether there is something to trim, and the tidying, on
  /// the worker that would sleep on. Any time, any worker. Null: there never is.
  bool (*needs_trim)(void* owner) = nullptr;
  void (*trim)(void* owner) = nullptr;
  /// On the thread of the worker whose state is `thread`: another worker's task, which still goes
  /// on, has been running for a while, and what it keeps back until its end should not wait for
  /// that.
  void (*relieve)(void* thread_state, void* of_other) = nullptr;
};

/// How long a task may go on before its worker turns to another: at least `messages`, then until
/// `ns` have passed. 0 ns: `messages` is all.
struct Slice {
  std::uint32_t messages = 64;
  std::int64_t ns = 20'000;
};

}  // namespace actord::sched
