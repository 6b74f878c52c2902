// SPDX-License-Identifier: Apache-2.0
#include "actor/behaviour.hpp"

#include <algorithm>

#include "actor/config_snapshot.hpp"
#include "actor/failure.hpp"
#include "message/complete.hpp"

namespace actord::actor {

using message::view;

namespace {

// The id of the case's type; 0: no plugin lists it.
message::TypeId id_of_case(const actord_receive& table, std::uint32_t i,
                           const message::TypeRegistry& types, std::string_view plugin) {
  const std::string_view name = view(table.cases[i].type);
  const bool has_ids = ACTORD_HAS(actord_receive, &table, ids) && table.ids != nullptr;
  // An id may be one of an earlier system, if no plugin of this one lists the type.
  if (has_ids && types.is_known(*table.ids[i]) && types.name(*table.ids[i]) == name)
    return *table.ids[i];
  return types.find(name, plugin);
}

}  // namespace

base::Result<ReceiveTable> ReceiveTable::resolve(const actord_receive& table,
                                                 const message::TypeRegistry& types,
                                                 std::string_view plugin) {
  ReceiveTable resolved;
  resolved.table_ = &table;
  for (std::uint32_t i = 0; i < table.n_cases; ++i) {
    resolved.ids_.push_back(id_of_case(table, i, types, plugin));
    if (resolved.ids_.back() == 0)
      return base::Error{"handles " + std::string{view(table.cases[i].type)} +
                         ", which no plugin lists in its messages"};
  }
  if (!types.has_further_layouts(plugin)) resolved.otherwise_ = table.otherwise;
  std::vector<message::TypeId> dense = resolved.ids_;
  std::erase_if(dense, [](message::TypeId id) { return id >= message::further_layouts; });
  if (dense.empty()) return resolved;
  const auto [low, high] = std::ranges::minmax(dense);
  resolved.base_ = low;
  resolved.n_slots_ = high - low + 1;
  resolved.slots_ = std::make_unique<actord_handler[]>(resolved.n_slots_);
  std::fill_n(resolved.slots_.get(), resolved.n_slots_, resolved.otherwise_);
  for (const message::TypeId id : dense) resolved.slots_[id - low] = resolved.find_case(id);
  return resolved;
}

actord_handler ReceiveTable::find_case(message::TypeId id) const noexcept {
  const auto found = std::ranges::find(ids_, id);
  return found == ids_.end() ? nullptr : table_->cases[found - ids_.begin()].handle;
}

Props::Props(const Behaviour& of) : behaviour(of), block(of.table.size, of.table.align) {}

const Strategy& Props::strategy_of_children() const {
  if (strategy != nullptr) return *strategy;
  if (own_strategy) return *own_strategy;
  return behaviour.strategy ? *behaviour.strategy : default_strategy();
}

Props::~Props() { args.drop(); }

void Props::build_from(const NodeSpec& from) noexcept {
  node = &from;
  config = from.config;
  create = from.create;
  args.args = const_cast<void*>(from.args.get());  // owned by the node
}

void Props::build_from(const RouterRule* rule) noexcept {
  config = rule != nullptr ? rule->value : actord_value{nullptr, nullptr};
  configured_size = rule != nullptr ? rule->size : 0;
}

void Props::adopt(const ActorSettings& settings) noexcept {
  strategy = settings.strategy;
  stash_capacity = settings.stash_capacity;
  attempts_max = settings.attempts_max;
  asks_fail = settings.asks_fail;
}

void Props::keep_args_in_block() noexcept {
  keeps_args = true;
  const std::size_t behind = (block.size + alignof(Args) - 1) / alignof(Args) * alignof(Args);
  block = {behind + sizeof(Args), std::max(block.align, alignof(Args))};
}

Behaviour::Behaviour(const actord_behaviour& table_, const Plugin& plugin_,
                     const Remoting* remoting_)
    : table(message::complete(table_)),
      name(std::string{plugin_.name} + '/' + std::string{view(table_.name)}),
      plugin(plugin_.name),
      version(plugin_.version),
      abi_minor(plugin_.abi_minor),
      declarer(plugin_.declarer),
      remoting(remoting_),
      plain_props_(new Props(*this)) {
  plain_props_->is_shared = true;
  if (table.strategy != nullptr) {
    strategy = from_c(*table.strategy, "code");
  } else if (table.decide != nullptr) {  // the plugin's decider is asked before the default one
    strategy = default_strategy();
    strategy->name = "code";
    strategy->asks_code_first = true;
  }
}

base::Result<std::unique_ptr<Behaviour>> Behaviour::load(const actord_behaviour& table,
                                                         const Plugin& plugin,
                                                         const message::TypeRegistry& types,
                                                         const Remoting* remoting) {
  std::unique_ptr<Behaviour> behaviour{new Behaviour(table, plugin, remoting)};
  const auto invalid = [&](const std::string& why) {
    return base::Error{"behaviour " + behaviour->name + ' ' + why};
  };
  if (table.n_receives == 0) return invalid("has no receive table");
  if (table.create == nullptr || table.destroy == nullptr)
    return invalid("has no create or no destroy function");
  if (table.align == 0 || (table.align & (table.align - 1)) != 0)
    return invalid("has an alignment that is not a power of two");
  if (table.strategy != nullptr && table.strategy->within_ns == 0)
    return invalid("has a strategy with an empty window (within = 0)");
  for (std::size_t i = 0; i < table.n_receives; ++i) {
    auto resolved = ReceiveTable::resolve(*table.receives[i], types, behaviour->declarer);
    if (!resolved) return invalid(resolved.error().what);
    behaviour->receives_.push_back(std::move(*resolved));
  }
  return behaviour;
}

Props& Behaviour::shared_props(Props::Create create, bool keeps_args) const {
  std::lock_guard lock(mutex_);
  for (const PropsPtr& known : shared_) {
    if (known->create == create && known->keeps_args == keeps_args) return *known;
  }
  Props& made = *shared_.emplace_back(new Props(*this));
  made.is_shared = true;
  made.create = create;
  if (keeps_args) made.keep_args_in_block();
  return made;
}

const ReceiveTable* Behaviour::find(const actord_receive* wanted) const noexcept {
  const auto found = std::ranges::find(receives_, wanted, &ReceiveTable::table);
  return found == receives_.end() ? nullptr : &*found;
}

}  // namespace actord::actor
