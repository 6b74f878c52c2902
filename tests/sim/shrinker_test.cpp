// SPDX-License-Identifier: Apache-2.0
#include "sim/shrinker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/sim_options.hpp"
#include "sim/small_scope.hpp"
#include "sim/swarm.hpp"
#include "sim/swarm_run.hpp"

namespace actord::sim {

TEST_SUITE_BEGIN("sim/shrinker");

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

std::size_t count_of(const Scenario& scenario, Deed deed) {
  return static_cast<std::size_t>(std::ranges::count(scenario.operations, deed, &Operation::deed));
}

}  // namespace

TEST_CASE("a list is cut down to the items that matter") {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  int trials = 0;
  const std::vector<int> left = minimized<int>(
      items,
      [&](const std::vector<int>& some) {
        ++trials;
        return std::ranges::count(some, 17) == 1 && std::ranges::count(some, 83) == 1;
      },
      [] { return false; });
  CHECK(left == std::vector<int>{17, 83});
  CHECK(trials < 200);
}

TEST_CASE("a scenario is cut down to what breaks the same rule") {
  const auto play = [](const Scenario& scenario, Choices*) {
    Outcome outcome;
    const bool breaks = count_of(scenario, Deed::kill) >= 1 &&
                        count_of(scenario, Deed::stop) >= 2 && scenario.actors.size() >= 3;
    if (breaks) outcome.violation = "17: planted";
    else if (count_of(scenario, Deed::kill) == 0) outcome.violation = "20: another rule";
    return outcome;
  };
  Scenario scenario = scenario_of(1);
  for (std::uint64_t seed = 2; play(scenario, nullptr).violation != "17: planted"; ++seed)
    scenario = scenario_of(seed);
  const Shrinker::Shrunk shrunk = Shrinker(play, 10 * second_ns).shrink(scenario);
  CHECK(shrunk.outcome.violation == "17: planted");
  CHECK(shrunk.scenario.operations.size() == 3);
  CHECK(shrunk.scenario.actors.size() == 3);
  CHECK(std::ranges::all_of(shrunk.scenario.faults, [](const Fault& f) { return f.chance == 0; }));
}

TEST_CASE("a planted violation in a real run is found, shrunk, and replayed to the letter") {
  // The planted rule: no run has more than 30 events.
  const auto play = [](const Scenario& scenario, Choices* choices) {
    Outcome outcome = run_scenario(scenario, {}, choices);
    if (outcome.events > 30) outcome.violation = "99: more than 30 events";
    return outcome;
  };
  std::uint64_t seed = 1;
  while (play(scenario_of(seed), nullptr).events < 100) ++seed;
  const Scenario scenario = scenario_of(seed);
  Shrinker::Shrunk shrunk = Shrinker(play, 20 * second_ns).shrink(scenario);
  CHECK(shrunk.outcome.violation == "99: more than 30 events");
  CHECK(shrunk.outcome.events > 30);
  CHECK(shrunk.outcome.events < 60);
  CHECK(shrunk.scenario.operations.size() <= scenario.operations.size());
  Choices again{{}, {}, shrunk.choices.replayed, false, {}};
  CHECK(play(shrunk.scenario, &again).trace_hash == shrunk.outcome.trace_hash);
}

TEST_CASE("what the scheduler chose can be played again from what was written down") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Scenario scenario = scenario_of(seed);
    Choices first;
    const Outcome written = run_scenario(scenario, {}, &first);
    CHECK(run_scenario(scenario, {}).trace_hash == written.trace_hash);
    Choices again{{}, {}, first.made, false, {}};
    CHECK(run_scenario(scenario, {}, &again).trace_hash == written.trace_hash);
  }
}

TEST_CASE("neighbouring numbers of the small scope are other scenarios") {
  CHECK(text_of(small_scenario(0)) != text_of(small_scenario(1)));
  CHECK(text_of(small_scenario(5)) == text_of(small_scenario(5)));
  for (const std::uint64_t number : {std::uint64_t{0}, small_profile.seeds / 2}) {
    const Scenario scenario = small_scenario(number);
    CHECK(scenario.actors.size() <= 3);
    CHECK(scenario.operations.size() <= 5);
  }
}

TEST_CASE("the command line says what it does not understand, and what was meant") {
  const std::array<Profile, 2> profiles{swarm_profile, small_profile};
  const auto parse = [&](std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return parse_options(arguments, profiles);
  };
  CHECK(parse({"--seedss", "3"}).error == "there is no option --seedss. Did you mean --seeds?");
  CHECK(parse({"--profile", "smal"}).error == "there is no profile smal. Did you mean small?");
  CHECK(parse({"--frobnicate"}).error == "there is no option --frobnicate");
  CHECK(parse({"--seed"}).error == "--seed wants a value");
  CHECK(parse({"--seeds", "many"}).error == "--seeds wants a number above 0, not many");
  CHECK(parse({"--seed", "7"}).options->seeds == 1);
  CHECK(parse({"--seed", "7", "--seeds", "3"}).options->seeds == 3);
  CHECK(parse({"--seed", "7", "--seconds", "2.5"}).options->seeds == 0);
  CHECK(parse({}).options->profile->name == "swarm");
}

TEST_SUITE_END();

}  // namespace actord::sim
