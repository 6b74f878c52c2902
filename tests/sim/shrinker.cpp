// SPDX-License-Identifier: Apache-2.0
#include "sim/shrinker.hpp"

#include <utility>

#include "base/clock.hpp"

namespace actord::sim {

std::string rule_of(const std::string& violation) {
  return violation.substr(0, violation.find(':'));
}

Shrinker::Shrinker(Run run, std::int64_t within_ns)
    : run_(std::move(run)), deadline_ns_(base::monotonic_ns() + within_ns) {}

bool Shrinker::is_over() const { return base::monotonic_ns() > deadline_ns_; }

bool Shrinker::breaks(const Scenario& scenario) {
  ++trials_;
  return rule_of(run_(scenario, nullptr).violation) == rule_;
}

bool Shrinker::breaks(const Scenario& scenario, std::vector<std::uint32_t> choices) {
  ++trials_;
  Choices replayed{{}, {}, std::move(choices), false, {}};
  return rule_of(run_(scenario, &replayed).violation) == rule_;
}

Shrinker::Shrunk Shrinker::shrink(const Scenario& original) {
  rule_ = rule_of(run_(original, nullptr).violation);
  Scenario scenario = original;
  pin_targets(scenario);
  for (std::size_t before = scenario.operations.size() + 1;
       before != scenario.operations.size() && !is_over();) {
    before = scenario.operations.size();
    shorten_operations(scenario);
    drop_actors(scenario);
    simplify(scenario);
  }
  Shrunk shrunk{scenario, {{}, {}, calm_schedule(scenario), false, {}}, {}, 0};
  shrunk.outcome = run_(scenario, &shrunk.choices);
  shrunk.choices.made.clear();
  shrunk.trials = trials_;
  return shrunk;
}

// Fixes the actor that each operation found, so that it finds the same one when others are removed.
void Shrinker::pin_targets(Scenario& scenario) {
  Choices made;
  run_(scenario, &made);
  Scenario trial = scenario;
  for (std::size_t i = 0; i < trial.operations.size() && i < made.targets.size(); ++i) {
    if (made.targets[i] != 0) trial.operations[i].whom = made.targets[i] - 1;
  }
  if (breaks(trial)) scenario = std::move(trial);
}

void Shrinker::shorten_operations(Scenario& scenario) {
  Scenario trial = scenario;
  scenario.operations = minimized<Operation>(
      scenario.operations,
      [&](const std::vector<Operation>& operations) {
        trial.operations = operations;
        return breaks(trial);
      },
      [&] { return is_over(); });
}

namespace {

// The scenario without the actor and all below it.
Scenario without(const Scenario& scenario, std::size_t actor) {
  Scenario rest = scenario;
  rest.actors.clear();
  std::vector<std::int32_t> moved(scenario.actors.size(), -2);  // -2: removed
  for (std::size_t i = 0; i < scenario.actors.size(); ++i) {
    ActorPlan plan = scenario.actors[i];
    if (i == actor) continue;
    if (plan.parent >= 0) {
      plan.parent = moved[static_cast<std::size_t>(plan.parent)];
      if (plan.parent == -2) continue;
    }
    moved[i] = static_cast<std::int32_t>(rest.actors.size());
    rest.actors.push_back(plan);
  }
  return rest;
}

}  // namespace

void Shrinker::drop_actors(Scenario& scenario) {
  for (std::size_t i = scenario.actors.size(); i-- > 0 && !is_over();) {
    if (i >= scenario.actors.size() || scenario.actors.size() == 1) continue;
    Scenario trial = without(scenario, i);
    if (trial.actors.empty()) continue;
    if (breaks(trial)) {
      scenario = std::move(trial);
      continue;
    }
    // Later actors may have moved up by the number of removed ones.
    const std::uint64_t gone = scenario.actors.size() - trial.actors.size();
    for (Operation& operation : trial.operations) {
      if (operation.whom >= i + gone) operation.whom -= gone;
    }
    if (breaks(trial)) scenario = std::move(trial);
  }
}

void Shrinker::simplify(Scenario& scenario) {
  const auto attempt = [&](auto&& change) {
    if (is_over()) return;
    Scenario trial = scenario;
    change(trial);
    if (breaks(trial)) scenario = std::move(trial);
  };
  for (std::size_t i = 0; i < spots; ++i) {
    if (scenario.faults[i].chance != 0 || scenario.faults[i].first != 0)
      attempt([&](Scenario& s) { s.faults[i] = {}; });
  }
  for (std::size_t i = 0; i < scenario.actors.size(); ++i) {
    if (scenario.actors[i].capacity != 0) attempt([&](Scenario& s) { s.actors[i].capacity = 0; });
    if (scenario.actors[i].overflow != actor::Overflow::drop_new)
      attempt([&](Scenario& s) { s.actors[i].overflow = actor::Overflow::drop_new; });
    if (scenario.actors[i].is_ordered)
      attempt([&](Scenario& s) { s.actors[i].is_ordered = false; });
    if (scenario.actors[i].is_blocking)
      attempt([&](Scenario& s) { s.actors[i].is_blocking = false; });
    if (scenario.actors[i].is_named) attempt([&](Scenario& s) { s.actors[i].is_named = false; });
    if (scenario.actors[i].keeps_children)
      attempt([&](Scenario& s) { s.actors[i].keeps_children = false; });
  }
  for (std::size_t i = 0; i < scenario.strategies.size(); ++i) {
    // Looked up each time, because an attempt that succeeds replaces the scenario.
    const auto plan = [&]() -> const StrategyPlan& { return scenario.strategies[i]; };
    if (plan().decides_in_code)
      attempt([&](Scenario& s) { s.strategies[i].decides_in_code = false; });
    if (plan().is_all_for_one)
      attempt([&](Scenario& s) { s.strategies[i].is_all_for_one = false; });
    if (plan().backoff_min_ns != 0)
      attempt([&](Scenario& s) { s.strategies[i].backoff_min_ns = 0; });
    if (plan().within_ns >= 0) attempt([&](Scenario& s) { s.strategies[i].within_ns = -1; });
    if (plan().max_restarts >= 0) attempt([&](Scenario& s) { s.strategies[i].max_restarts = -1; });
    for (std::size_t rule = plan().rules.size(); rule-- > 0;) {
      if (rule >= plan().rules.size()) continue;
      attempt([&](Scenario& s) {
        auto& rules = s.strategies[i].rules;
        rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(rule));
      });
    }
  }
  if (scenario.workers != 1) attempt([](Scenario& s) { s.workers = 1; });
  if (scenario.slice_max != 1) attempt([](Scenario& s) { s.slice_max = 1; });
  if (scenario.by_priority) attempt([](Scenario& s) { s.by_priority = false; });
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    if (scenario.operations[i].steps != 0) attempt([&](Scenario& s) { s.operations[i].steps = 0; });
  }
}

// Keeps as few choices other than 0 as possible: first a prefix, then blocks, then single ones.
std::vector<std::uint32_t> Shrinker::calm_schedule(const Scenario& scenario) {
  Choices made;
  run_(scenario, &made);
  std::vector<std::uint32_t> choices = made.made;
  if (!breaks(scenario, choices)) return choices;
  for (std::size_t keep : {std::size_t{0}, choices.size() / 4, choices.size() / 2}) {
    std::vector<std::uint32_t> trial(choices.begin(),
                                     choices.begin() + static_cast<std::ptrdiff_t>(keep));
    if (!breaks(scenario, trial)) continue;
    choices = std::move(trial);
    break;
  }
  for (std::size_t block = (choices.size() + 1) / 2; block > 0; block /= 2) {
    for (std::size_t at = 0; at < choices.size() && !is_over(); at += block) {
      std::vector<std::uint32_t> trial = choices;
      const std::size_t end = std::min(at + block, trial.size());
      bool is_zero = true;
      for (std::size_t i = at; i < end; ++i) is_zero &= std::exchange(trial[i], 0u) == 0;
      if (!is_zero && breaks(scenario, trial)) choices = std::move(trial);
    }
  }
  while (!choices.empty() && choices.back() == 0) choices.pop_back();
  return choices;
}

}  // namespace actord::sim
