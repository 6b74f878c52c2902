// SPDX-License-Identifier: Apache-2.0
#include "sched/thread_executor.hpp"

#include <random>

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"

namespace actord::sched {

ThreadExecutor::ThreadExecutor() : ThreadExecutor(std::random_device{}()) {}

ThreadExecutor::ThreadExecutor(std::uint64_t seed)
    : timers_([this] { clock_parker_.unpark(); }), seeds_(seed) {}

Dispatcher& ThreadExecutor::add(const DispatcherSettings& settings, const Hooks& hooks) {
  ACTORD_ASSERT(!clock_.joinable());  // the dispatcher would never start
  const std::uint16_t id = ++last_id_;
  using Kind = DispatcherSettings::Kind;
  if (settings.kind == Kind::blocking)
    return *blocking_pools_.emplace_back(std::make_unique<BlockingPool>(id, settings, hooks));
  if (settings.kind == Kind::pinned)
    return *pinned_pools_.emplace_back(std::make_unique<PinnedPool>(id, settings, hooks));
  return *pools_.emplace_back(std::make_unique<ThreadPool>(id, settings, hooks));
}

void ThreadExecutor::start(std::function<void(const Timer&)> on_timer) {
  ACTORD_ASSERT(!clock_.joinable());
  ACTORD_ASSERT(!is_stopping_.load(base::relaxed));
  on_timer_ = std::move(on_timer);
  for (auto& pool : pools_) pool->start();
  for (auto& pool : blocking_pools_) pool->start();
  for (auto& pool : pinned_pools_) pool->start();
  clock_ = base::Thread([this] { run_clock(); });
}

// Stops the clock thread first, since no timer may fire into a pool that has stopped.
void ThreadExecutor::stop() {
  is_stopping_.store(true, base::seq_cst);
  clock_parker_.unpark();
  if (clock_.joinable()) clock_.join();
  for (auto& pool : pools_) pool->stop();
  for (auto& pool : blocking_pools_) pool->stop();
  for (auto& pool : pinned_pools_) pool->stop();
}

std::int64_t ThreadExecutor::now_ns() const { return base::monotonic_ns(); }

std::uint64_t ThreadExecutor::seed() {
  return base::Random(seeds_.fetch_add(1, base::relaxed)).next();
}

// Runs on the clock thread, which sleeps until the next timer. A thread that sets a timer due
// before all others wakes it (`on_earlier` of the wheel).
void ThreadExecutor::run_clock() {
  base::set_timer_slack(1);
  while (!is_stopping_.load(base::seq_cst)) {
    clock_parker_.park_until(timers_.fire_due(now_ns(), on_timer_));
  }
}

}  // namespace actord::sched
