// SPDX-License-Identifier: Apache-2.0
//
// The one coordinated shutdown of a system: the tasks of its phases, which of them run now, and
// what comes next (supervision.md 180l). It knows no time and sends nothing.
//
// Threads: any may add a task, which is there when add() returns: before all that its actor does
// next, such as to answer for another task. All else is for one thread at a time.
//
// Not here: who runs a task, tells how it has ended, and logs it (shutdown_actor.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actor/ref.hpp"
#include "base/sync.hpp"
#include "system/shutdown_plan.hpp"

namespace actord::system {

struct PhaseTask {
  std::uint64_t number = 0;
  std::string phase, name;
  actor::Ref actor = actor::nobody;  // does it
  bool is_end = false;               // the task is the end of the actor, which is told to stop
};

/// How a shutdown ended.
struct ShutdownOutcome {
  std::string reason;
  std::string aborted_in;  // the phase after which no other one ran; empty: all phases ran
};

class ShutdownRun {
 public:
  explicit ShutdownRun(ShutdownPlan plan) : plan_(std::move(plan)) {}

  enum class Added : std::uint8_t {
    yes,
    known,  // the actor has that task already; it may be running, or over
    late,   // its phase has begun, or will not run
  };
  /// Fails if there is no such phase, or if the name is empty.
  base::Result<Added> add(std::string_view phase, std::string_view name, actor::Ref actor,
                          bool is_end);
  /// The actor has ended. Its tasks of later phases do not run; those that run are returned, and
  /// the caller reports their ends.
  std::vector<PhaseTask> forget(actor::Ref actor);

  /// Begins with the first phase, or with `from`. False if the shutdown has begun already: the
  /// reason stays the first one. An unknown `from` is the first phase.
  bool begin(std::string_view reason, std::string_view from = {});
  const std::string& reason() const noexcept { return outcome_.reason; }

  struct Step {
    enum class Kind : std::uint8_t { run, skip, over };
    Kind kind = Kind::over;
    const ShutdownPhase* phase = nullptr;  // null if it is over
    std::vector<PhaseTask> tasks = {};     // of the phase
  };
  /// The next phase that has tasks: they run now, or are skipped because the phase is disabled.
  /// Called when no task runs.
  Step next();
  /// A task of the phase that runs has ended. True if this makes next() due: no other one runs, or
  /// the failure ends the shutdown.
  bool end(std::uint64_t number, bool is_failure);
  /// The task of that number, if it runs.
  std::optional<PhaseTask> running(std::uint64_t number) const;
  const ShutdownPhase& current() const { return plan_.phases()[next_ - 1]; }

  bool is_over() const noexcept { return is_over_; }
  const ShutdownOutcome& outcome() const noexcept { return outcome_; }
  const ShutdownPlan& plan() const noexcept { return plan_; }

 private:
  const ShutdownPlan plan_;
  ShutdownOutcome outcome_;
  mutable base::Mutex mutex_;       // of what add() needs, which is all that follows
  std::vector<PhaseTask> tasks_;    // of phases that have not begun, in the order of add()
  std::vector<PhaseTask> begun_;    // of phases that have begun
  std::vector<PhaseTask> running_;  // of `begun_`, and of the phase before `next_`
  std::uint64_t last_number_ = 0;
  std::size_t next_ = 0;  // index of the next phase
  bool has_begun_ = false, is_over_ = false;
};

}  // namespace actord::system
