// SPDX-License-Identifier: Apache-2.0
#include "sim/companions_profile.hpp"

#include <functional>

#include "base/clock.hpp"
#include "sim/companion_run.hpp"
#include "sim/shrinker.hpp"

namespace actord::sim {

namespace {

using companions::Operation;
using companions::Scenario;

Outcome play(std::uint64_t seed, const RunOptions& options) {
  return companions::run_scenario(companions::scenario_of(seed), options);
}

/// Shortens a scenario as long as it breaks the same rule: operations, then faults and traits of
/// members one by one. Members stay, since operations and others name them by their numbers.
class Cut {
 public:
  Cut(std::uint64_t seed, std::int64_t within_ns)
      : scenario_(companions::scenario_of(seed)),
        deadline_ns_(base::monotonic_ns() + within_ns),
        rule_(rule_of(companions::run_scenario(scenario_, {}).violation)) {}

  Scenario run() {
    drop_operations();
    for (std::uint16_t& chance : scenario_.faults) attempt(chance, std::uint16_t{0});
    attempt(scenario_.store_faults, std::uint16_t{0});
    attempt(scenario_.snapshot_every, std::uint16_t{0});
    attempt(scenario_.workers, 1u);
    attempt(scenario_.slice_max, 1u);
    drop_members();
    for (companions::Member& each : scenario_.members) simplify(each);
    drop_operations();
    for (Operation& each : scenario_.operations) attempt(each.steps, std::uint16_t{0});
    return std::move(scenario_);
  }
  std::uint64_t trials() const noexcept { return trials_; }

 private:
  bool is_over() const { return base::monotonic_ns() > deadline_ns_; }
  bool breaks(const Scenario& scenario) {
    ++trials_;
    return rule_of(companions::run_scenario(scenario, {}).violation) == rule_;
  }
  template <class T>
  void attempt(T& value, T simple) {
    if (value == simple || is_over()) return;
    const T former = std::exchange(value, simple);
    if (!breaks(scenario_)) value = former;
  }
  void drop_operations() {
    Scenario trial = scenario_;
    scenario_.operations = minimized<Operation>(
        scenario_.operations,
        [&](const std::vector<Operation>& operations) {
          trial.operations = operations;
          return breaks(trial);
        },
        [&] { return is_over(); });
  }
  void drop_members() {
    while (scenario_.members.size() > 1 && !is_over()) {
      Scenario trial = scenario_;
      trial.members.pop_back();
      const auto last = static_cast<std::uint32_t>(trial.members.size());
      for (companions::Member& each : trial.members) std::erase(each.group, last);
      std::erase_if(trial.operations, [&](const Operation& each) { return each.whom >= last; });
      if (!breaks(trial)) return;
      scenario_ = std::move(trial);
    }
  }
  void simplify(companions::Member& member) {
    attempt(member.keeps_children, false);
    attempt(member.respawns, false);
    attempt(member.is_ordered, false);
    attempt(member.attempts, std::uint8_t{0});
    if (!member.is_tight) attempt(member.capacity, std::uint16_t{0});
    attempt(member.resizes, false);
    attempt(member.unconfirmed_max, std::uint8_t{0});
  }

  Scenario scenario_;
  const std::int64_t deadline_ns_;
  const std::string rule_;
  std::uint64_t trials_ = 0;
};

// Prints the events of the short run on stdout first, as --trace would.
std::string shrink(std::uint64_t seed, std::int64_t within_ns) {
  Cut cut(seed, within_ns);
  const Scenario scenario = cut.run();
  const Outcome outcome = companions::run_scenario(scenario, {.is_traced = true});
  return "  shrunk to " + std::to_string(scenario.operations.size()) + " operations and " +
         std::to_string(outcome.events) + " events, in " + std::to_string(cut.trials()) +
         " trials:\n" + companions::text_of(scenario) + "  violation " + outcome.violation + '\n';
}

}  // namespace

const Profile companions_profile{
    .name = "companions",
    .about = "random trees of all companions, which fail in each callback",
    .play = play,
    .shrink = shrink,
};

}  // namespace actord::sim
