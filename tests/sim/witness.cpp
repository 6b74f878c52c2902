// SPDX-License-Identifier: Apache-2.0
#include "sim/witness.hpp"

#include "actor/cell_extras.hpp"
#include "actor/child_list.hpp"
#include "actor/spawning.hpp"

#include <cinttypes>
#include <cstdio>

namespace actord::sim {

namespace {

constexpr std::string_view mishap_names[] = {"throws hard",     "throws soft",     "throws odd",
                                             "throws a number", "reports",         "stops itself",
                                             "kills itself",    "stops its parent"};
static_assert(std::size(mishap_names) == mishaps);

actor::Directive directive_of(Judgement judgement) {
  return static_cast<actor::Directive>(static_cast<std::int32_t>(judgement));
}
static_assert(static_cast<int>(Judgement::escalate) == static_cast<int>(Directive::escalate));
static_assert(static_cast<int>(Judgement::resume) == static_cast<int>(Directive::resume));

actor::Strategy strategy_for(const StrategyPlan& plan, std::size_t number) {
  using Otherwise = actor::Strategy::Otherwise;
  actor::Strategy s;
  s.name = std::to_string(number);
  s.kind =
      plan.is_all_for_one ? actor::Strategy::Kind::all_for_one : actor::Strategy::Kind::one_for_one;
  s.restart_limit = {plan.max_restarts, plan.within_ns};
  for (const auto& rule : plan.rules)
    s.rules.push_back({std::string{type_name(rule.cause)}, directive_of(rule.judgement), -1, {}});
  switch (plan.otherwise) {
    case Judgement::undecided:
      s.otherwise = plan.rules.empty() ? Otherwise::default_decider : Otherwise::escalate;
      break;
    case Judgement::resume: s.otherwise = Otherwise::resume; break;
    case Judgement::restart: s.otherwise = Otherwise::restart; break;
    case Judgement::stop: s.otherwise = Otherwise::stop; break;
    case Judgement::escalate: s.otherwise = Otherwise::escalate; break;
  }
  s.is_logging = false;
  s.asks_code_first = true;  // so that decide() sees every judgement
  if (plan.backoff_min_ns != 0) {
    s.backoff = actor::Backoff{plan.backoff_min_ns, plan.backoff_max_ns, plan.backoff_random,
                               plan.backoff_min_ns, plan.backoff_capacity};
  }
  return s;
}

// Only the configurations of the swarm have arguments.
const NodePlan* node_in(const actor::Props& props) {
  if (props.node == nullptr || props.node->args == nullptr) return nullptr;
  return std::get<const NodePlan*>(*static_cast<const NodeArgs*>(props.node->args.get()));
}

}  // namespace

Witness::Witness(const Scenario& scenario_, const RunOptions& options)
    : scenario(scenario_),
      model(scenario_, findings),
      mail(model, findings),
      watches(model, findings),
      configs(model, findings),
      options_(options) {
  for (const StrategyPlan& plan : scenario.strategies)
    strategies.push_back(strategy_for(plan, strategies.size()));
  refs_.push_back(actor::nobody);
  plans_.push_back(0);
  are_planned_.push_back(false);
  counts_.push_back(0);
  planned_children_.resize(scenario.actors.size());
  for (std::uint32_t i = 0; i < scenario.actors.size(); ++i) {
    if (const std::int32_t parent = scenario.actors[i].parent; parent >= 0)
      planned_children_[static_cast<std::size_t>(parent)].push_back(i);
  }
  former_.push_back(0);
  has_answered.push_back(false);
  instances.push_back(nullptr);
}

void Witness::saw(std::string_view what, Id who, std::uint64_t detail) {
  if (!findings.empty()) return;  // what follows is only the shutdown
  ++events_;
  hash_ = (hash_ ^ static_cast<unsigned char>(what[0]) ^ what.size() << 8) * 0x100000001b3u;
  hash_ = (hash_ ^ who) * 0x100000001b3u;
  hash_ = (hash_ ^ detail) * 0x100000001b3u;
  if (options_.is_traced) {
    std::printf("%6" PRIu64 " %9" PRId64 " us  %3u  %.*s %" PRIu64 "\n", events_,
                world == nullptr ? 0 : world->now_ns() / 1'000, who, static_cast<int>(what.size()),
                what.data(), detail);
  }
  if (events_ == options_.until) [[unlikely]]
    __builtin_trap();
}

Id Witness::born(Id parent, std::uint32_t plan, std::uint64_t name, actor::Ref ref,
                 bool is_planned) {
  const Id id = announce(parent, plan, name, is_planned);
  arrive(id, ref);
  return id;
}

Id Witness::announce(Id parent, std::uint32_t plan, std::uint64_t name, bool is_planned) {
  return add({parent, plan, name, scenario.actors[plan].bound(), nullptr, is_planned});
}

Id Witness::add(const Newborn& newborn) {
  const Id id = model.spawned(newborn.parent, scenario.actors[newborn.plan].strategy, newborn.name);
  mail.born(id, newborn.capacity);
  watches.born();
  configs.born(newborn.node);
  refs_.push_back(actor::nobody);
  plans_.push_back(newborn.plan);
  are_planned_.push_back(newborn.is_planned);
  counts_.push_back(0);
  former_.push_back(0);
  has_answered.push_back(false);
  instances.push_back(nullptr);
  constructions.resize(id + 1);
  return id;
}

void Witness::arrive(Id who, actor::Ref ref) {
  if (ref == actor::nobody) return model.never_came(who);
  meet(who, ref);
  // Applies the operator's settings for a path in the one moment in which they are still unused.
  const ActorPlan& wanted = plan_of(who);
  actor::Cell& cell = world->system().cells.at(actor::index_of(ref));
  if (cell.props->strategy == nullptr)
    actor::own_props(cell).strategy = &strategies[wanted.strategy];
  if (wanted.is_ordered && cell.extras == nullptr) {
    cell.extras = new actor::CellExtras;
    const actor::TypeNames one_rank{std::string{actor::all_others}};
    cell.extras->order = std::make_unique<actor::MailboxOrder>(
        new actor::MessageRanks(&one_rank, nullptr, world->system().types));
    cell.owner_flags |= actor::Cell::has_own_mailbox;
  }
  if (wanted.capacity == 0) return;
  constexpr std::int64_t push_timeout_ns = 50'000'000;
  world->system().mailbox_limits.set(cell, {wanted.capacity, wanted.overflow, push_timeout_ns});
  cell.capacity_left.store(wanted.capacity);
  cell.sender_flags.store(actor::Cell::bounded);
  cell.owner_flags |= actor::Cell::has_own_mailbox;
}

void Witness::meet(Id who, actor::Ref ref) {
  refs_[who] = ref;
  if (options_.is_traced && findings.empty())
    std::printf("%33s%u: %s\n", "", who, world->system().path(ref).c_str());
  const std::uint32_t index = actor::index_of(ref);
  if (by_cell_.size() <= index) by_cell_.resize(index + 1);
  former_[who] = std::exchange(by_cell_[index], who);
}

Id Witness::id_of(actor::Ref ref) {
  const std::uint32_t index = actor::index_of(ref);
  Id id = index < by_cell_.size() ? by_cell_[index] : 0;
  while (id != 0 && refs_[id] != ref) id = former_[id];
  return id != 0 || configs.last() == nullptr ? id : meet_configured(ref);
}

Id Witness::meet_configured(actor::Ref ref) {
  if (ref == actor::nobody || !world->is_alive(ref)) return 0;
  const actor::Cell& cell = world->cell(ref);
  const NodePlan* const node = node_in(*cell.props);
  if (node == nullptr) return 0;
  const Id parent = id_of(actor::make_ref(cell.parent, cell.parent_generation));
  const auto plan = static_cast<std::uint32_t>(node->actor % scenario.actors.size());
  const Id id = add({parent, plan, node->name, node->capacity, node, false});
  meet(id, ref);
  return id;
}

Id Witness::begins_from(actor::Ref ref, const NodePlan& node) {
  const Id who = id_of(ref);
  configs.built(who, node);
  return who;
}

const NodePlan* Witness::node_of(Id who) const { return node_in(*world->cell(refs_[who]).props); }

std::uint16_t Witness::strategy_of(Id who) const {
  const actor::Strategy* const said = world->cell(refs_[who]).props->strategy;
  return said == nullptr ? Model::no_strategy : static_cast<std::uint16_t>(std::stoul(said->name));
}

std::vector<Id> Witness::children_of(Id who) {
  std::vector<Id> children;
  const actor::CellPool& cells = world->system().cells;
  for (const actor::Cell& child : actor::children_of(cells, world->cell(refs_[who])))
    children.push_back(id_of(cells.ref_of(child)));
  return children;
}

Id Witness::chosen_actor(std::uint64_t number) const {
  const std::size_t count = model.size() - 1;
  if (count == 0) return 0;
  Id id = 1 + static_cast<Id>(number % count);
  if (number >> 32 & 7) {  // in one case of eight it may be dead
    for (int i = 0; i < 8 && model.is_finished(id); ++i) id = id == count ? 1 : id + 1;
  }
  return id;
}

std::optional<Mishap> Witness::strikes(Spot spot, Id who) {
  const Fault& fault = scenario.faults[static_cast<std::size_t>(spot)];
  if ((fault.chance == 0 && fault.first == 0) || is_calm || mishaps_ >= mishaps_max) return {};
  std::uint64_t kind = 0;
  if (std::uint8_t& visits = visits_[static_cast<std::size_t>(spot)]; visits < fault.first) {
    ++visits;
  } else {
    const std::uint64_t drawn = chance(who);
    if ((drawn & 255) >= fault.chance) return {};
    kind = (drawn >> 8) % mishaps;
  }
  ++mishaps_;
  saw("mishap", who, static_cast<std::uint64_t>(spot) << 8 | kind);
  if (options_.is_traced && findings.empty()) {
    std::printf("%34s%.*s: %.*s\n", "in ", static_cast<int>(name_of(spot).size()),
                name_of(spot).data(), static_cast<int>(mishap_names[kind].size()),
                mishap_names[kind].data());
  }
  return static_cast<Mishap>(kind);
}

}  // namespace actord::sim
