// SPDX-License-Identifier: Apache-2.0
//
// The executor of production: the threads of the dispatchers, the monotonic clock, and a clock
// thread that fires the shared timers.
#pragma once

#include <memory>

#include "sched/blocking_pool.hpp"
#include "sched/pinned_pool.hpp"
#include "sched/thread_pool.hpp"

namespace actord::sched {

class ThreadExecutor final : public Executor {
 public:
  ThreadExecutor();
  /// Every seed() follows from `seed`.
  explicit ThreadExecutor(std::uint64_t seed);
  ~ThreadExecutor() override { stop(); }

  Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) override;
  void start(std::function<void(const Timer&)> on_timer) override;
  void stop() override;

  TimerWheel& timers() override { return timers_; }
  std::int64_t now_ns() const override;
  std::uint64_t seed() override;

 private:
  void run_clock();  // body of the clock thread

  TimerWheel timers_;
  std::vector<std::unique_ptr<ThreadPool>> pools_;
  std::vector<std::unique_ptr<BlockingPool>> blocking_pools_;
  std::vector<std::unique_ptr<PinnedPool>> pinned_pools_;
  std::uint16_t last_id_ = 0;
  std::function<void(const Timer&)> on_timer_;
  base::Parker clock_parker_;
  // The store of `is_stopping_` in stop() pairs with the load in run_clock(). The unpark() after
  // the store makes the clock thread load again.
  base::Atomic<bool> is_stopping_{false};
  base::Thread clock_;
  base::Atomic<std::uint64_t> seeds_;
};

}  // namespace actord::sched
