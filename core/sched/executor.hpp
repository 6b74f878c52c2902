// SPDX-License-Identifier: Apache-2.0
//
// The seam between the runtime and whoever makes it go: real threads and clocks (ThreadExecutor) or
// one thread, one seed and virtual time (Simulator).
#pragma once

#include <functional>
#include <string>

#include "sched/worker.hpp"

namespace actord::sched {

struct DispatcherSettings {
  enum class Kind {
    pool,      // threads that share work
    blocking,  // as many threads as there is work, within a limit
    pinned     // a thread for each task
  };

  std::string name;
  Kind kind = Kind::pool;
  unsigned threads_min = 0;  // of a pool: 0 is one per available CPU
  unsigned threads_max = 0;  // of a blocking one
  std::int64_t keep_alive_ns = 10'000'000'000;
  Slice slice;
};

class Executor {
 public:
  virtual ~Executor() = default;

  /// Start-up only; the hooks outlive the executor's stop().
  virtual Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) = 0;
  /// Start-up only: who is told of each of timers() that is due. On the executor's time thread.
  virtual void start(std::function<void(const Timer&)> on_timer) = 0;
  /// Waits until every worker has finished its task, and what it goes on with at once
  /// (Worker::next_at_once()), and detached; what is still queued is not run.
  virtual void stop() = 0;

  /// Shared: for threads that have no timers of their own.
  virtual TimerWheel& timers() = 0;
  virtual std::int64_t now_ns() const = 0;
  /// A seed for whoever needs chance; each call another.
  virtual std::uint64_t seed() = 0;
};

}  // namespace actord::sched
