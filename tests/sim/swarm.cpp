// SPDX-License-Identifier: Apache-2.0
#include "sim/swarm.hpp"

#include <algorithm>

#include "sim/shrinker.hpp"
#include "sim/swarm_run.hpp"

namespace actord::sim {

namespace {

Outcome play(std::uint64_t seed, const RunOptions& options) {
  return run_scenario(scenario_of(seed), options);
}

// Prints the events of the short run on stdout first, as --trace would.
std::string shrink(std::uint64_t seed, std::int64_t within_ns) {
  const RunOptions silent{};
  Shrinker shrinker([&](const Scenario& scenario,
                        Choices* choices) { return run_scenario(scenario, silent, choices); },
                    within_ns);
  Shrinker::Shrunk shrunk = shrinker.shrink(scenario_of(seed));
  const RunOptions traced{.is_traced = true};
  shrunk.choices.made.clear();
  const Outcome outcome = run_scenario(shrunk.scenario, traced, &shrunk.choices);
  const auto chosen = std::ranges::count_if(shrunk.choices.replayed, [](auto c) { return c != 0; });
  return "  shrunk to " + std::to_string(shrunk.scenario.operations.size()) + " operations, " +
         std::to_string(outcome.events) + " events and " + std::to_string(chosen) +
         " choices of the scheduler that are not 0, in " + std::to_string(shrunk.trials) +
         " trials:\n" + text_of(shrunk.scenario) + "  violation " + outcome.violation + '\n';
}

}  // namespace

const Profile swarm_profile{
    .name = "swarm",
    .about = "random trees, deeds and failures, each seed with other features on",
    .play = play,
    .shrink = shrink,
};

}  // namespace actord::sim
