// SPDX-License-Identifier: Apache-2.0
//
// The phases of a coordinated shutdown and their order (supervision.md 180l). Pure.
//
// Not here: the tasks of a phase and when they run (shutdown_run.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace actord::system {

struct ShutdownPhase {
  std::string name;
  std::vector<std::string> depends_on;  // names of phases that end before this one begins
  std::int64_t timeout_ns = 5'000'000'000;
  bool recovers = true;  // after a task that failed or took too long, the shutdown goes on
  bool is_enabled = true;
};

/// What is wrong with a list of phases.
struct ShutdownPlanFault {
  enum class Kind : std::uint8_t { unknown, cycle, after_last };
  Kind kind = Kind::unknown;
  std::string phase;                // whose `depends_on` is wrong
  std::string other;                // the name in it that is wrong
  std::vector<std::string> circle;  // of Kind::cycle: each depends on the next one; begins with
                                    // `phase`, and its last one depends on `phase`
};

/// Phases in an order in which each comes after those that it depends on.
class ShutdownPlan {
 public:
  /// The last phase of each plan. When it is over, the actors are stopped.
  static constexpr std::string_view last = "actor-system-terminate";

  /// The standard phases.
  ShutdownPlan();
  /// The standard phases as a list, which an operator's phases are added to.
  static std::vector<ShutdownPhase> standard_phases();
  /// Phases that do not depend on each other keep the order of the list, but `last` is the last
  /// one. It is added if the list does not have it. Names are unique.
  static base::Result<ShutdownPlan, ShutdownPlanFault> of(std::vector<ShutdownPhase> phases);

  const std::vector<ShutdownPhase>& phases() const noexcept { return phases_; }
  /// Null if there is none of that name.
  const ShutdownPhase* find(std::string_view name) const noexcept;
  /// The names, in order: "a, b, c".
  std::string names() const;

 private:
  explicit ShutdownPlan(std::vector<ShutdownPhase> in_order);

  std::vector<ShutdownPhase> phases_;
};

}  // namespace actord::system
