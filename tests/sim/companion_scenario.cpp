// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_scenario.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "sim/scenario.hpp"

namespace actord::sim::companions {

namespace {

using base::Random;
using Logic = RouterOptions::Logic;

constexpr std::size_t members_max = 12;

template <class E>
const char* word(E value) {
  for (const auto& each : actord::detail::enumerators<E>)
    if (each.value == value) return each.name.data();  // of a literal
  return "?";
}

std::string text_of(Directive directive) {
  constexpr std::array names{"undecided", "resume", "restart", "stop", "escalate"};
  return names[static_cast<std::size_t>(directive)];
}

bool is_for(Task task, Role role) {
  if (task < Task::retry_ask) return true;
  if (task < Task::go) return role == Role::plain || role == Role::pool || role == Role::group;
  if (task < Task::enter) return role == Role::machine;
  return role == Role::ledger;
}

// A part of what there is, at random, so that seeds differ in what occurs in them at all.
std::vector<Task> some_tasks(Random& random) {
  std::vector<Task> some{Task::rest};
  const std::uint64_t share = 1 + random.below(4);
  for (std::size_t i = 1; i < tasks; ++i)
    if (random.below(4) < share) some.push_back(static_cast<Task>(i));
  return some;
}

StrategyPlan strategy(Random& random) {
  constexpr std::array directives{Directive::restart, Directive::restart, Directive::resume,
                                  Directive::resume,  Directive::resume,  Directive::stop,
                                  Directive::escalate};
  StrategyPlan plan;
  plan.is_all_for_one = random.below(3) == 0;
  plan.otherwise = directives[random.below(directives.size())];
  if (random.below(4) == 0) plan.max_restarts = static_cast<std::int64_t>(random.below(4));
  plan.backs_off = random.below(4) == 0;
  return plan;
}

void give_mailbox(Member& member, Random& random) {
  using actor::Overflow;
  constexpr std::array overflows{Overflow::drop_new, Overflow::drop_old, Overflow::wait};
  if (random.below(4) == 0) {
    member.capacity = static_cast<std::uint16_t>(1 + random.below(6));
    member.overflow = overflows[random.below(overflows.size())];
  }
  member.is_ordered = random.below(6) == 0;
  if (random.below(6) == 0) member.attempts = static_cast<std::uint8_t>(1 + random.below(3));
}

void make_pool(Member& member, Random& random) {
  member.logic = static_cast<Logic>(random.below(8));
  if (random.below(3) == 0) member.logic = Logic::balancing;
  member.size = static_cast<std::uint8_t>(1 + random.below(4));
  member.credits = static_cast<std::uint8_t>(1 + random.below(3));
  member.resizes = random.below(5) == 0;
  member.escalates = random.below(3) == 0;
  // The other logics count, or send several at once.
  if (member.logic != Logic::balancing) member.overflow = actor::Overflow::drop_new;
  else if (random.below(2) == 0) member.capacity = static_cast<std::uint16_t>(1 + random.below(3));
  member.is_tight =
      member.logic == Logic::balancing && member.capacity != 0 && random.below(2) == 0;
  if (member.is_tight) member.capacity = std::max<std::uint16_t>(member.capacity, member.credits);
}

void make_group(Member& member, const std::vector<Member>& before, Random& random) {
  constexpr std::array logics{Logic::round_robin,   Logic::random,
                              Logic::broadcast,     Logic::scatter_gather_first,
                              Logic::tail_chopping, Logic::consistent_hashing};
  member.logic = logics[random.below(logics.size())];
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    const bool is_fit = before[i].role == Role::plain || before[i].role == Role::pool;
    if (is_fit && random.below(3) == 0) member.group.push_back(i);
  }
  if (member.group.empty()) member.group.push_back(0);
}

void plant(Scenario& scenario, Random& random) {
  const std::size_t n = 2 + random.below(members_max - 1);
  scenario.members.emplace_back();
  constexpr std::array favourites{Role::plain,   Role::pool,   Role::pool,  Role::group,
                                  Role::machine, Role::ledger, Role::ledger};
  const Role favourite = favourites[random.below(favourites.size())];
  while (scenario.members.size() < n) {
    Member member;
    member.role = random.below(2) == 0 ? favourite : static_cast<Role>(random.below(roles));
    do member.parent = static_cast<std::int32_t>(random.below(scenario.members.size()));
    while (scenario.members[static_cast<std::size_t>(member.parent)].role != Role::plain);
    give_mailbox(member, random);
    if (member.role == Role::machine) member.attempts = 0;  // a transition fails behind the handler
    if (member.role == Role::pool) make_pool(member, random);
    if (member.role == Role::group) make_group(member, scenario.members, random);
    if (member.role == Role::ledger && random.below(3) == 0)
      member.unconfirmed_max = static_cast<std::uint8_t>(1 + random.below(4));
    scenario.members.push_back(std::move(member));
  }
  for (Member& member : scenario.members) {
    member.strategy = static_cast<std::uint16_t>(random.below(scenario.strategies.size()));
    member.keeps_children = random.below(4) == 0;
    member.respawns = random.below(2) == 0;
  }
}

Operation operation(const Scenario& scenario, Random& random) {
  Operation next;
  next.whom = static_cast<std::uint32_t>(random.below(scenario.members.size()));
  next.detail = static_cast<std::uint32_t>(random.next());
  next.steps = static_cast<std::uint16_t>(random.below(24));
  if (random.below(5) == 0) {
    next.deed =
        random.below(3) == 0 ? Deed::advance : static_cast<Deed>(1 + random.below(deeds - 1));
    return next;
  }
  const Role role = scenario.members[next.whom].role;
  for (int i = 0; i < 20; ++i) {
    next.task = scenario.tasks[random.below(scenario.tasks.size())];
    if (next.task != Task::rest && is_for(next.task, role)) break;
  }
  return next;
}

}  // namespace

const char* name_of(Task task) { return word(task); }
const char* name_of(Deed deed) { return word(deed); }
const char* name_of(Spot spot) { return word(spot); }

std::string Scenario::path_of(std::size_t member) const {
  const std::int32_t parent = members[member].parent;
  return (parent < 0 ? "/user" : path_of(static_cast<std::size_t>(parent))) + "/m" +
         std::to_string(member);
}

bool Scenario::multiplies(std::size_t member) const {
  const Member& it = members[member];
  if (it.role != Role::pool && it.role != Role::group) return false;
  return it.logic == Logic::broadcast || it.logic == Logic::scatter_gather_first ||
         it.logic == Logic::tail_chopping ||
         std::ranges::any_of(it.group, [this](std::uint32_t each) { return multiplies(each); });
}

bool Scenario::is_prompt() const {
  return std::ranges::none_of(strategies, &StrategyPlan::backs_off) &&
         std::ranges::none_of(members, [](const Member& each) {
           return each.capacity != 0 && each.overflow == actor::Overflow::wait;
         });
}

Scenario scenario_of(std::uint64_t seed) {
  Random random(mixed(seed, 41));
  Scenario scenario;
  scenario.seed = seed;
  for (std::uint64_t i = 1 + random.below(3); i != 0; --i)
    scenario.strategies.push_back(strategy(random));
  plant(scenario, random);
  scenario.tasks = some_tasks(random);
  for (std::uint64_t i = 8 + random.below(60); i != 0; --i)
    scenario.operations.push_back(operation(scenario, random));
  const std::uint64_t rare = 2 + random.below(4);
  for (std::uint16_t& chance : scenario.faults)
    if (random.below(rare) == 0) chance = static_cast<std::uint16_t>(16 << random.below(4));
  // Transitions are rare.
  if (random.below(2) == 0) scenario.faults[static_cast<std::size_t>(Spot::transition)] = 64;
  if (random.below(3) == 0)
    scenario.store_faults = static_cast<std::uint16_t>(2 + random.below(40));
  if (random.below(2) == 0)
    scenario.snapshot_every = static_cast<std::uint16_t>(1 + random.below(5));
  scenario.ends_busy = random.below(5) == 0;
  scenario.workers = 1 + static_cast<unsigned>(random.below(3));
  scenario.slice_max = 1 + static_cast<std::uint32_t>(random.below(6));
  return scenario;
}

std::string text_of(const Scenario& scenario) {
  std::string text;
  for (std::size_t i = 0; i < scenario.members.size(); ++i) {
    const Member& it = scenario.members[i];
    const StrategyPlan& judged = scenario.strategies[it.strategy];
    text += "  member " + scenario.path_of(i) + ' ' + std::string{word(it.role)} +
            ", its children " + (judged.is_all_for_one ? "all for one " : "") +
            text_of(judged.otherwise) +
            (judged.max_restarts < 0 ? "" : " at most " + std::to_string(judged.max_restarts)) +
            (judged.backs_off ? " with back-off" : "") + (it.keeps_children ? ", kept" : "") +
            (it.respawns ? ", respawned" : "");
    if (it.capacity != 0)
      text += ", mailbox of " + std::to_string(it.capacity) + ' ' +
              std::string{actor::name_of(it.overflow)};
    if (it.is_ordered) text += ", ordered";
    if (it.attempts != 0) text += ", " + std::to_string(it.attempts) + " attempts";
    if (it.role == Role::pool || it.role == Role::group) text += std::string{", "} + word(it.logic);
    if (it.role == Role::pool)
      text += " to " + std::to_string(it.size) + " with " + std::to_string(it.credits) +
              " credits" + (it.resizes ? ", resized" : "") + (it.escalates ? ", escalating" : "") +
              (it.is_tight ? ", tight" : "");
    for (const std::uint32_t each : it.group) text += " m" + std::to_string(each);
    if (it.unconfirmed_max != 0)
      text += ", unconfirmed at most " + std::to_string(it.unconfirmed_max);
    text += '\n';
  }
  for (std::size_t i = 0; i < spots; ++i)
    if (scenario.faults[i] != 0)
      text += "  fails at " + std::string{word(static_cast<Spot>(i))} + ' ' +
              std::to_string(scenario.faults[i]) + "/256\n";
  for (const Operation& each : scenario.operations)
    text += std::string{"  "} + word(each.deed) +
            (each.deed == Deed::work ? ' ' + std::string{word(each.task)} : "") + " m" +
            std::to_string(each.whom) + " detail " + std::to_string(each.detail) + ", " +
            std::to_string(each.steps) + " steps\n";
  return text + "  " + std::to_string(scenario.workers) + " workers, slices of " +
         std::to_string(scenario.slice_max) + ", store faults " +
         std::to_string(scenario.store_faults) + ", snapshots every " +
         std::to_string(scenario.snapshot_every) + (scenario.ends_busy ? ", ends busy" : "") + '\n';
}

}  // namespace actord::sim::companions
