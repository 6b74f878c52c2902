// SPDX-License-Identifier: Apache-2.0
//
// The executor of tests: one thread plays all workers, one seed decides every choice, and time
// passes only when it is told to. Two runs of one seed make the same choices in the same order.
//
// Not here: what is checked meanwhile (testkit/).
#pragma once

#include <memory>

#include "base/random.hpp"
#include "sched/executor.hpp"

namespace actord::sched {

/// Not thread-safe: everything happens on the thread that drives it.
class Simulator final : public Executor {
 public:
  struct Options {
    std::uint64_t seed = 1;
    unsigned workers = 2;         // of each dispatcher
    std::uint32_t slice_max = 8;  // messages per turn, chosen anew for each
  };

  explicit Simulator(Options options);
  ~Simulator() override;

  Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) override;
  void start(std::function<void(const TimerQueue::Entry&)> on_timer) override;
  void stop() override;

  TimerQueue& timers() override { return timers_; }
  std::int64_t now_ns() const override { return now_ns_; }
  std::uint64_t seed() override { return random_.next(); }

  /// Runs one task of one worker; false if there is none.
  bool step();
  /// Runs tasks until there is none, at most `limit`; time stands still. Answers how many ran.
  std::uint64_t run_until_idle(std::uint64_t limit = 10'000'000);
  /// Lets time pass: runs what is runnable, then whatever timers make so, up to `duration_ns` from
  /// now.
  void advance(std::int64_t duration_ns);
  /// Advances to the next timer if there is one.
  bool advance_to_next_timer();

 private:
  class Group;

  Options options_;
  base::Random random_;
  TimerQueue timers_;
  std::int64_t now_ns_ = 1'000'000'000;  // not 0, which some fields use for "never"
  std::vector<std::unique_ptr<Group>> groups_;
  std::function<void(const TimerQueue::Entry&)> on_timer_;
  bool is_running_ = false;
};

}  // namespace actord::sched
