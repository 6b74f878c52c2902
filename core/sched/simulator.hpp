// SPDX-License-Identifier: Apache-2.0
//
// The executor of tests: one thread runs all workers in turn, one seed decides every choice, and
// virtual time passes only by advance() and skip_to(). Two runs of one seed make the same choices
// in the same order.
//
// Not here: what the tests check between the steps (testkit/).
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/assert.hpp"
#include "base/random.hpp"
#include "sched/executor.hpp"

namespace actord::sched {

/// Not thread-safe: all tasks and timers run on the thread that calls it.
class Simulator final : public Executor {
 public:
  /// How the next task is chosen.
  enum class Pick {
    worker,    // a random worker, with its own queue, the injected tasks and what it can steal
    priority,  // the runnable task with the highest priority; each task draws one when first seen,
               // and some steps demote the running task to the lowest (priority-change scheduling)
    any        // each runnable task with the same probability; choice 0 is the oldest one
  };
  /// Returns a number below `bound`, which is at least 1. Called for every choice, in order.
  using Choose = std::function<std::uint64_t(std::uint64_t bound)>;

  struct Options {
    std::uint64_t seed = 1;
    unsigned workers = 2;         // of each dispatcher
    std::uint32_t slice_max = 8;  // messages per turn: each turn gets 1 to so many
    Pick pick = Pick::worker;
    unsigned priority_changes = 2;       // Pick::priority: demotions, at random steps
    std::uint64_t expected_steps = 500;  // Pick::priority: demotions are among the first so many
    Choose choose = {};                  // empty: the seed decides
  };

  explicit Simulator(Options options);
  ~Simulator() override;

  Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) override;
  void start(std::function<void(const Timer&)> on_timer) override;
  void stop() override;

  TimerWheel& timers() override { return timers_; }
  std::int64_t now_ns() const override { return now_ns_; }
  std::uint64_t seed() override { return random_.next(); }

  /// Runs one task of one worker. False: no task is runnable.
  bool step();
  /// Runs tasks until none is runnable, at most `limit`; time stands still. Returns how many ran.
  std::uint64_t run_until_idle(std::uint64_t limit = 10'000'000);
  /// Lets `duration_ns` pass: runs the runnable tasks, then fires each timer at its time and runs
  /// the tasks that it makes runnable.
  void advance(std::int64_t duration_ns);
  /// Advances to the next timer. False: there is none.
  bool advance_to_next_timer();
  /// Sets the time to `now_ns`, unless that is past, and fires the timers due then. Runs no task.
  void skip_to(std::int64_t now_ns);
  /// All runnable tasks, in no particular order. Between two steps only.
  std::vector<const Task*> runnable() const;

 private:
  class Group;

  std::uint64_t choose(std::uint64_t bound) {
    ACTORD_ASSERT(bound != 0);
    const std::uint64_t choice = options_.choose ? options_.choose(bound) : random_.below(bound);
    ACTORD_ASSERT(choice < bound);
    return choice;
  }
  std::uint64_t priority_of(const Task* task);
  bool step_gathered();  // step() for Pick::priority and Pick::any

  Options options_;
  base::Random random_;
  std::uint64_t steps_ = 0, demotions_ = 0;    // with Pick::priority
  std::vector<std::uint64_t> demotion_steps_;  // steps that demote the task they run
  std::unordered_map<const Task*, std::uint64_t> priorities_;  // never iterated: addresses vary
  TimerWheel timers_;
  std::int64_t now_ns_ = 1'000'000'000;  // not 0, which some fields use for "never"
  std::vector<std::unique_ptr<Group>> groups_;
  std::function<void(const Timer&)> on_timer_;
  bool is_running_ = false;
};

}  // namespace actord::sched
