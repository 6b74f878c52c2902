// SPDX-License-Identifier: Apache-2.0
//
// The interface between the runtime and what drives it: real threads and clocks (ThreadExecutor),
// or one thread with one seed and virtual time (Simulator).
#pragma once

#include <functional>
#include <string>

#include "sched/worker.hpp"

namespace actord::sched {

struct DispatcherSettings {
  enum class Kind {
    pool,      // threads that share tasks by stealing
    blocking,  // as many threads as there are tasks, up to a limit
    pinned     // one thread for each task
  };

  std::string name;
  Kind kind = Kind::pool;
  unsigned threads_min = 0;  // pool: all its threads, 0: one per CPU; blocking: those that stay
  unsigned threads_max = 0;  // blocking only
  std::int64_t keep_alive_ns = 10'000'000'000;  // blocking: idle time after which a thread ends
  Slice slice;
};

/// Owns the dispatchers. add(), start() and stop() are not thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Before start() only. The hooks outlive stop().
  virtual Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) = 0;
  /// Call it once. The executor calls `on_timer` for every timer of timers() that is due, on its
  /// clock thread or, in the simulator, on the thread that advances the time.
  virtual void start(std::function<void(const Timer&)> on_timer) = 0;
  /// Waits until every worker has finished its task and the tasks that it runs directly after it
  /// (Worker::next_task()), and has detached. Queued tasks are not run.
  virtual void stop() = 0;

  /// The shared wheel, for threads that have no wheel of their own. Any thread.
  virtual TimerWheel& timers() = 0;
  virtual std::int64_t now_ns() const = 0;
  /// A seed for a random generator; each call returns another one.
  virtual std::uint64_t seed() = 0;
};

}  // namespace actord::sched
