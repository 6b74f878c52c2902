// SPDX-License-Identifier: Apache-2.0
//
// The executor of tests: one thread plays all workers, one seed decides every choice, and time
// passes only when it is told to. Two runs of one seed make the same choices in the same order.
//
// Not here: what is checked meanwhile (testkit/).
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/assert.hpp"
#include "base/random.hpp"
#include "sched/executor.hpp"

namespace actord::sched {

/// Not thread-safe: everything happens on the thread that drives it.
class Simulator final : public Executor {
 public:
  /// Who runs next.
  enum class Pick {
    worker,    // a worker by chance, with its queue, its inbox and what it can steal
    priority,  // the runnable task of the highest priority; each task draws one when it first runs,
               // and now and then the running one falls to the bottom (priority-change scheduling)
    any        // each runnable task with the same chance, the longest waiting is choice 0
  };
  /// Answers below `bound`, which is at least 1. Asked for every choice, in its order.
  using Choose = std::function<std::uint64_t(std::uint64_t bound)>;

  struct Options {
    std::uint64_t seed = 1;
    unsigned workers = 2;         // of each dispatcher
    std::uint32_t slice_max = 8;  // messages per turn, chosen anew for each
    Pick pick = Pick::worker;
    unsigned priority_changes = 2;       // with Pick::priority: how many, at steps chosen at random
    std::uint64_t expected_steps = 500;  // among the first so many
    Choose choose = {};                  // none: by the seed
  };

  explicit Simulator(Options options);
  ~Simulator() override;

  Dispatcher& add(const DispatcherSettings& settings, const Hooks& hooks) override;
  void start(std::function<void(const Timer&)> on_timer) override;
  void stop() override;

  TimerWheel& timers() override { return timers_; }
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
  /// Time jumps to `now_ns`, if that is not past, and all timers due by then fire; runs nothing.
  void skip_to(std::int64_t now_ns);
  /// Everything runnable, between two steps, in no particular order.
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
  bool step_of_all();

  Options options_;
  base::Random random_;
  std::uint64_t steps_ = 0, lowest_ = 0;  // with Pick::priority
  std::vector<std::uint64_t> changes_;    // steps at which the running task falls
  std::unordered_map<const Task*, std::uint64_t> priorities_;  // never walked: addresses vary
  TimerWheel timers_;
  std::int64_t now_ns_ = 1'000'000'000;  // not 0, which some fields use for "never"
  std::vector<std::unique_ptr<Group>> groups_;
  std::function<void(const Timer&)> on_timer_;
  bool is_running_ = false;
};

}  // namespace actord::sched
