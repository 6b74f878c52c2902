// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario.hpp"

#include <algorithm>

#include "sim/config_plan.hpp"

namespace actord::sim {

namespace {

using base::Random;

constexpr std::int64_t ms = 1'000'000;
constexpr std::size_t breadth_max = 8, depth_max = 6;

constexpr std::string_view deed_names[] = {"rest",
                                           "tell",
                                           "ask",
                                           "ask many",
                                           "answer",
                                           "forward",
                                           "broadcast",
                                           "flood",
                                           "spawn",
                                           "spawn again",
                                           "stop child",
                                           "stop self",
                                           "stop other",
                                           "stop gracefully",
                                           "poison other",
                                           "kill other",
                                           "watch",
                                           "watch with",
                                           "unwatch",
                                           "become busy",
                                           "become deaf",
                                           "unbecome",
                                           "unstash",
                                           "timer once",
                                           "timer often",
                                           "timer cancel",
                                           "receive timeout",
                                           "receive timeout off",
                                           "publish",
                                           "subscribe",
                                           "unsubscribe",
                                           "fail",
                                           "report",
                                           "stop",
                                           "poison",
                                           "kill",
                                           "reconfigure",
                                           "advance",
                                           "shut down"};
static_assert(std::size(deed_names) == deeds);

constexpr std::string_view spot_names[] = {
    "constructor", "pre_start",        "receive", "pre_restart", "post_restart", "post_stop",
    "decide",      "child_terminated", "copy",    "tick",        "reply",        "log_failure"};
static_assert(std::size(spot_names) == spots);

constexpr std::string_view cause_names[] = {"actord::sim::Hard",
                                            "actord::sim::Soft",
                                            "actord::sim::Flaw",
                                            "actord::sim::Odd",
                                            "actord::ForeignException",
                                            "actord::PostRestartFailure",
                                            "actord::InitializationFailure",
                                            "actord::Killed",
                                            "actord::DeathPact"};
static_assert(std::size(cause_names) == causes);

// Escalation is rarer, because it takes the whole tree with it.
Judgement random_judgement(Random& random) {
  constexpr Judgement choices[] = {Judgement::resume,  Judgement::restart, Judgement::restart,
                                   Judgement::restart, Judgement::stop,    Judgement::escalate};
  return choices[random.below(std::size(choices))];
}

StrategyPlan random_strategy(Random& random) {
  StrategyPlan plan;
  plan.is_all_for_one = random.below(4) == 0;
  if (random.below(2) == 0) plan.max_restarts = static_cast<std::int64_t>(random.below(6));
  if (random.below(3) == 0) plan.within_ns = static_cast<std::int64_t>(1 + random.below(40)) * ms;
  for (std::uint64_t n = random.below(6); n > 0; --n) {
    plan.rules.push_back({static_cast<Cause>(random.below(causes)), random_judgement(random)});
  }
  if (!plan.rules.empty() && random.below(2) == 0) plan.otherwise = random_judgement(random);
  if (random.below(4) == 0) {
    plan.backoff_min_ns = static_cast<std::int64_t>(1 + random.below(10)) * ms;
    plan.backoff_max_ns = plan.backoff_min_ns * static_cast<std::int64_t>(1 + random.below(8));
    plan.backoff_random = random.below(2) == 0 ? 0.0 : 0.2;
    if (random.below(2) == 0) plan.backoff_capacity = static_cast<std::int64_t>(random.below(4));
  }
  plan.decides_in_code = random.below(2) == 0;
  return plan;
}

// Most trees are small, because errors show in them too, and sooner.
std::size_t random_size(Random& random) {
  switch (random.below(8)) {
    case 0: return 1 + random.below(200);
    case 1:
    case 2: return 1 + random.below(60);
    default: return 1 + random.below(16);
  }
}

// Without fail_sender: what its handlers send would decide which actors fail.
constexpr actor::Overflow overflows[] = {actor::Overflow::drop_new, actor::Overflow::drop_old,
                                         actor::Overflow::wait};

void grow_tree(Scenario& scenario, Random& random) {
  const std::size_t size = random_size(random);
  const std::size_t breadth = 1 + random.below(breadth_max), depth = 1 + random.below(depth_max);
  const bool has_bounds = random.below(4) == 0, has_names = random.below(2) == 0;
  const bool has_blocking = random.below(4) == 0, has_orders = random.below(4) == 0;
  std::vector<std::uint8_t> depths, children;
  std::size_t tops = 0;
  for (std::size_t i = 0; i < size; ++i) {
    ActorPlan plan;
    std::size_t parent = size;
    for (int attempt = 0; attempt < 4 && parent == size && i > 0; ++attempt) {
      const std::size_t candidate = random.below(i);
      if (depths[candidate] < depth && children[candidate] < breadth) parent = candidate;
    }
    if (parent == size && tops++ >= breadth_max) break;
    if (parent != size) ++children[parent], plan.parent = static_cast<std::int32_t>(parent);
    depths.push_back(parent == size ? 1 : static_cast<std::uint8_t>(depths[parent] + 1));
    children.push_back(0);
    plan.strategy = static_cast<std::uint16_t>(random.below(scenario.strategies.size()));
    plan.capacity = has_bounds && random.below(3) == 0
                        ? static_cast<std::uint16_t>(1 + random.below(4))
                        : std::uint16_t{0};
    if (plan.capacity != 0) plan.overflow = overflows[random.below(std::size(overflows))];
    plan.is_ordered = has_orders && random.below(3) == 0;
    plan.keeps_children = random.below(2) == 0;
    plan.is_named = has_names && random.below(2) == 0;
    plan.is_blocking = has_blocking && random.below(2) == 0;
    scenario.actors.push_back(plan);
  }
}

// Each deed is off in a third of the seeds and has a weight of its own in the others.
void add_operations(Scenario& scenario, Random& random) {
  std::array<std::uint32_t, deeds> weights{};
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < deeds; ++i) {
    if (random.below(3) != 0) weights[i] = 1 + static_cast<std::uint32_t>(random.below(20));
  }
  auto& end_of_all = weights[static_cast<std::size_t>(Deed::shut_down)];
  end_of_all = 0;
  weights[static_cast<std::size_t>(Deed::tell)] += 20;
  auto& stop = weights[static_cast<std::size_t>(Deed::stop)];
  stop = (stop + 3) / 4;  // otherwise few actors are left soon
  auto& reconfigure = weights[static_cast<std::size_t>(Deed::reconfigure)];
  // Rare, because every actor is told of a reconfiguration.
  reconfigure = random.below(2) == 0 ? 0 : (reconfigure + 7) / 8;
  for (const std::uint32_t weight : weights) total += weight;
  const std::size_t count = 20 + random.below(scenario.actors.size() > 40 ? 1500 : 700);
  const std::uint64_t pause = 1 + random.below(12);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t at = random.below(total);
    std::size_t deed = 0;
    while (at >= weights[deed]) at -= weights[deed++];
    scenario.operations.push_back(
        {static_cast<Deed>(deed), static_cast<std::uint16_t>(random.below(pause)),
         static_cast<std::uint32_t>(random.next()), static_cast<std::uint32_t>(random.next())});
  }
  if (random.below(16) == 0) scenario.operations.push_back({Deed::shut_down, 0, 0, 0});
}

}  // namespace

std::string_view name_of(Deed deed) { return deed_names[static_cast<std::size_t>(deed)]; }
std::string_view name_of(Spot spot) { return spot_names[static_cast<std::size_t>(spot)]; }
std::string_view type_name(Cause cause) { return cause_names[static_cast<std::size_t>(cause)]; }

Scenario scenario_of(std::uint64_t seed) {
  Random random(mixed(seed, 1));
  Scenario scenario;
  scenario.seed = seed;
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
    scenario.strategies.push_back(random_strategy(random));
  grow_tree(scenario, random);
  for (Fault& fault : scenario.faults) {
    if (random.below(4) != 0) continue;
    fault.chance = random.below(2) == 0 ? 64 : static_cast<std::uint16_t>(1 + random.below(128));
  }
  add_operations(scenario, random);
  const std::uint64_t guardian = random.below(8);
  scenario.guardian = guardian < 5    ? Guardian::restarting
                      : guardian == 5 ? Guardian::stopping
                                      : Guardian::by_default;
  scenario.workers = 1 + static_cast<unsigned>(random.below(4));
  scenario.slice_max = 1 + static_cast<std::uint32_t>(random.below(12));
  scenario.by_priority = random.below(2) == 0;
  scenario.priority_changes = 1 + static_cast<unsigned>(random.below(3));  // depth 2 to 4
  return scenario;
}

namespace {

std::string_view name_of(Judgement judgement) {
  constexpr std::string_view names[] = {"default", "resume", "restart", "stop", "escalate"};
  return names[static_cast<std::size_t>(judgement)];
}

std::string text_of(const StrategyPlan& plan) {
  std::string text = plan.is_all_for_one ? "all for one" : "one for one";
  if (plan.max_restarts >= 0) text += ", restarts " + std::to_string(plan.max_restarts);
  if (plan.within_ns >= 0) text += ", within " + std::to_string(plan.within_ns / ms) + " ms";
  if (plan.backoff_min_ns != 0) {
    text += ", back-off " + std::to_string(plan.backoff_min_ns / ms) + ".." +
            std::to_string(plan.backoff_max_ns / ms) + " ms";
  }
  for (const auto& rule : plan.rules)
    text.append(", ").append(type_name(rule.cause)).append(" -> ").append(name_of(rule.judgement));
  if (!plan.rules.empty() || plan.otherwise != Judgement::undecided)
    text.append(", else ").append(name_of(plan.otherwise));
  return text + (plan.decides_in_code ? ", code" : "");
}

}  // namespace

std::string text_of(const Scenario& scenario) {
  constexpr std::string_view guardians[] = {"restarting", "default", "stopping"};
  std::string text =
      "  guardian: " + std::string{guardians[static_cast<std::size_t>(scenario.guardian)]} + ", " +
      std::to_string(scenario.workers) + " workers, slices of up to " +
      std::to_string(scenario.slice_max) + (scenario.by_priority ? ", by priority\n" : "\n");
  std::vector<bool> is_used(scenario.strategies.size());
  for (const ActorPlan& plan : scenario.actors) is_used[plan.strategy] = true;
  for (std::size_t i = 0; i < scenario.strategies.size(); ++i) {
    if (is_used[i])
      text += "  strategy " + std::to_string(i) + ": " + text_of(scenario.strategies[i]) + '\n';
  }
  for (std::size_t i = 0; i < scenario.actors.size(); ++i) {
    const ActorPlan& plan = scenario.actors[i];
    text += "  actor " + std::to_string(i) + ": ";
    text += plan.parent < 0 ? std::string{"top"} : "child of " + std::to_string(plan.parent);
    text += ", strategy " + std::to_string(plan.strategy);
    if (plan.capacity != 0)
      text.append(", mailbox of ")
          .append(std::to_string(plan.capacity))
          .append(", then ")
          .append(name_of(plan.overflow));
    if (plan.is_ordered) text += ", sorted";
    if (plan.is_blocking) text += ", on blocking-io";
    if (plan.keeps_children) text += ", keeps its children";
    text += plan.is_named ? ", named\n" : "\n";
  }
  for (std::size_t i = 0; i < spots; ++i) {
    const Fault& fault = scenario.faults[i];
    if (fault.chance == 0 && fault.first == 0) continue;
    text.append("  fault in ").append(spot_names[i]).append(": ");
    text += fault.first != 0 ? "the first " + std::to_string(fault.first) + '\n'
                             : std::to_string(fault.chance) + " of 256\n";
  }
  for (std::size_t i = 0; i < scenario.operations.size(); ++i) {
    const Operation& operation = scenario.operations[i];
    text += "  " + std::to_string(i + 1) + ". ";
    text.append(deed_names[static_cast<std::size_t>(operation.deed)]).append(" @");
    text += std::to_string(operation.whom) + " detail " + std::to_string(operation.detail % 256) +
            ", then " + std::to_string(operation.steps) + " steps\n";
    if (operation.deed == Deed::reconfigure)
      text += text_of(config_of(scenario, operation.detail, 0));
  }
  return text;
}

}  // namespace actord::sim
