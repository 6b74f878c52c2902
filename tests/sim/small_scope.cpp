// SPDX-License-Identifier: Apache-2.0
#include "sim/small_scope.hpp"

#include <cstdio>
#include <utility>

#include "sim/scenario.hpp"
#include "sim/swarm_run.hpp"

namespace actord::sim {

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t schedules_max = 200;  // per scenario
constexpr std::size_t messages = 4, failures = 2, actors_max = 3;

// What a message slot can hold; `rest` stands for no message.
constexpr Deed message_deeds[] = {
    Deed::rest,        Deed::fail,   Deed::stop,       Deed::kill,
    Deed::poison,      Deed::watch,  Deed::stop_child, Deed::spawn_same_name,
    Deed::become_busy, Deed::advance};
constexpr Spot failing_spots[] = {Spot::constructor,     Spot::pre_start, Spot::pre_restart,
                                  Spot::post_restart,    Spot::post_stop, Spot::decide,
                                  Spot::child_terminated};
constexpr Judgement judgements[] = {Judgement::restart, Judgement::resume, Judgement::stop,
                                    Judgement::escalate};
constexpr std::uint16_t pauses[] = {0, 1, 2, 100};
constexpr std::int8_t shapes[][actors_max] = {
    {-1, -2, -2}, {-1, 0, -2}, {-1, 0, 1}, {-1, 0, 0}};  // parents; -2: no such actor

constexpr std::uint64_t total = [] {
  std::uint64_t product =
      std::size(shapes) * 2 * 4 * 2 * std::size(judgements) * 2 * std::size(pauses) * 2;
  for (std::size_t i = 0; i < failures; ++i) product *= std::size(failing_spots) + 1;
  for (std::size_t i = 0; i < messages; ++i) product *= std::size(message_deeds) * actors_max;
  return product;
}();

/// Splits a number into digits, each of a base of its own, the lowest first.
class Digits {
 public:
  explicit Digits(std::uint64_t number) : rest_(number) {}
  std::uint64_t next(std::uint64_t base) { return std::exchange(rest_, rest_ / base) % base; }

 private:
  std::uint64_t rest_;
};

/// Runs one scenario under many schedules.
class Exploration {
 public:
  Exploration(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario), options_(options) {}

  Outcome run() {
    const Choices base = play({});
    std::vector<Choices> singles = deviations_of(base, 0);
    for (const Choices& single : singles) {
      if (is_over()) break;
      const std::size_t after = single.replayed.size();
      deviations_of(single, after);
    }
    return total_;
  }

 private:
  bool is_over() const { return !total_.violation.empty() || total_.schedules >= schedules_max; }

  // Runs the schedules that repeat the choices of `base` up to one choice, at or after `from`, and
  // make another choice there.
  std::vector<Choices> deviations_of(const Choices& base, std::size_t from) {
    std::vector<Choices> runs;
    for (std::size_t at = from; at < base.made.size() && !is_over(); ++at) {
      for (std::uint32_t choice = 1; choice < base.bounds[at] && !is_over(); ++choice) {
        std::vector<std::uint32_t> replayed(base.made.begin(),
                                            base.made.begin() + static_cast<std::ptrdiff_t>(at));
        replayed.push_back(choice);
        runs.push_back(play(std::move(replayed)));
      }
    }
    return runs;
  }

  Choices play(std::vector<std::uint32_t> replayed) {
    constexpr auto pick = sched::Simulator::Pick::any;
    Choices choices{{}, {}, std::move(replayed), false, {}};
    if (options_.is_traced)
      std::printf("schedule %zu, deviates at choice %zu\n", std::size_t{total_.schedules + 1},
                  choices.replayed.size());
    const Outcome outcome = run_scenario(scenario_, options_, &choices, &pick);
    ++total_.schedules;
    total_.events += outcome.events;
    total_.trace_hash = total_.trace_hash * 31 + outcome.trace_hash;
    if (!outcome.violation.empty()) total_.violation = outcome.violation;
    return choices;
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  Outcome total_{{}, 0, 0, 0};
};

// The scenarios of neighbouring seeds are far apart, so that a short run sees all kinds. Each
// number belongs to one seed, because the step is a prime that does not divide the total.
std::uint64_t number_of(std::uint64_t seed) {
  constexpr std::uint64_t step = 1'000'000'007;
  static_assert(total % step != 0);
  return static_cast<std::uint64_t>(static_cast<base::Wide>(seed - 1) * step % total);
}

Outcome play(std::uint64_t seed, const RunOptions& options) {
  const Scenario scenario = small_scenario(number_of(seed));
  if (options.is_traced) std::printf("%s", text_of(scenario).c_str());
  return Exploration(scenario, options).run();
}

}  // namespace

Scenario small_scenario(std::uint64_t number) {
  Digits digits(number);
  Scenario scenario;
  scenario.seed = 1;
  scenario.workers = 1;
  scenario.slice_max = 1;
  const auto& shape = shapes[digits.next(std::size(shapes))];
  StrategyPlan strategy;
  strategy.is_all_for_one = digits.next(2) != 0;
  switch (digits.next(4)) {
    case 0: break;
    case 1: strategy.max_restarts = 0; break;
    case 2: strategy.max_restarts = 1; break;
    default: strategy.max_restarts = 1, strategy.within_ns = 10 * ms;
  }
  const bool keeps_children = digits.next(2) != 0;
  strategy.otherwise = judgements[digits.next(std::size(judgements))];
  if (digits.next(2) != 0) strategy.backoff_min_ns = strategy.backoff_max_ns = 5 * ms;
  const std::uint16_t pause = pauses[digits.next(std::size(pauses))];
  const bool is_bounded = digits.next(2) != 0;
  scenario.strategies.push_back(strategy);
  for (std::size_t i = 0; i < actors_max && shape[i] != -2; ++i) {
    scenario.actors.push_back({shape[i], 0, static_cast<std::uint16_t>(is_bounded ? 1 : 0),
                               keeps_children, i == 1, false});
  }
  for (std::size_t i = 0; i < failures; ++i) {
    const std::uint64_t spot = digits.next(std::size(failing_spots) + 1);
    if (spot != 0) ++scenario.faults[static_cast<std::size_t>(failing_spots[spot - 1])].first;
  }
  scenario.operations.push_back({Deed::advance, 0, 0, 0});  // until the tree exists
  for (std::size_t i = 0; i < messages; ++i) {
    const Deed deed = message_deeds[digits.next(std::size(message_deeds))];
    const std::uint64_t whom = digits.next(actors_max);
    if (deed == Deed::rest) continue;
    scenario.operations.push_back({deed, pause, whom, deed == Deed::advance ? 6u : 0u});
  }
  return scenario;
}

const Profile small_profile{
    .name = "small",
    .about = "every scenario of up to 3 actors, 2 failures, 4 messages, each in many schedules",
    .play = play,
    .seeds = total,
};

}  // namespace actord::sim
