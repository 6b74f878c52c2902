// SPDX-License-Identifier: Apache-2.0
#include "system/behaviour_registry.hpp"

#include <algorithm>
#include <span>

namespace actord::system {

using actor::Behaviour;
using message::view;

base::Result<void> BehaviourRegistry::add(const actord_plugin& plugin) {
  const std::string name{view(plugin.name)};
  for (std::size_t i = 0; i < plugin.n_messages; ++i) {
    const auto id = types_.add(*plugin.messages[i]);
    if (!id) return base::Error{"plugin " + name + ": " + id.error().what};
  }
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < plugin.n_behaviours; ++i) {
    const auto loaded = load(*plugin.behaviours[i], {name, view(plugin.version), plugin.abi_minor});
    if (!loaded) return base::Error{"plugin " + name + ": " + loaded.error().what};
    if (!by_name_.emplace((*loaded)->name, *loaded).second) {
      return base::Error{"plugin " + name + ": behaviour " + (*loaded)->name +
                         " is already registered by another file"};
    }
  }
  for (std::size_t i = 0; i < plugin.n_configurators; ++i) {
    const actord_configurator& from = *plugin.configurators[i];
    const std::string full_name = name + '/' + std::string{view(from.name)};
    if (from.strategy == nullptr)
      return base::Error{"plugin " + name + ": configurator " + full_name + " has no strategy"};
    actor::Strategy strategy = actor::from_c(*from.strategy, full_name);
    strategy.asks_code_first = false;
    strategy.decide = from.decide;
    configurators_.emplace(full_name, std::move(strategy));
  }
  declare_failures(plugin);
  if (std::ranges::find(plugins_, name) == plugins_.end()) plugins_.push_back(name);
  return {};
}

void BehaviourRegistry::declare_failures(const actord_plugin& plugin) {
  if (!ACTORD_HAS(actord_plugin, &plugin, n_failures) || plugin.n_failures == 0) return;
  DeclaredFailures declared{std::string{view(plugin.name)}, {}};
  for (const actord_type_chain& chain : std::span{plugin.failures, plugin.n_failures}) {
    auto& names = declared.types.emplace_back();
    for (const actord_str& type : std::span{chain.types, chain.n_types})
      names.emplace_back(view(type));
  }
  failures_.push_back(std::move(declared));
}

base::Result<const Behaviour*> BehaviourRegistry::load(const actord_behaviour& table,
                                                       const Behaviour::Plugin& plugin) {
  auto behaviour = Behaviour::load(table, plugin, types_);
  if (!behaviour) return std::move(behaviour).error();
  by_table_[&table] = behaviour->get();
  return behaviours_.emplace_back(std::move(*behaviour)).get();
}

base::Result<const Behaviour*> BehaviourRegistry::find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return found->second;
  return base::Error{"no loaded plugin has a behaviour " + std::string{name}};
}

base::Result<const Behaviour*> BehaviourRegistry::find(const actord_behaviour& table,
                                                       const Behaviour& spawner) {
  {
    std::shared_lock lock(mutex_);
    if (const auto found = by_table_.find(&table); found != by_table_.end()) return found->second;
  }
  std::lock_guard lock(mutex_);
  if (const auto found = by_table_.find(&table); found != by_table_.end()) return found->second;
  return load(table, {spawner.plugin, spawner.version, spawner.abi_minor});
}

const actor::Strategy* BehaviourRegistry::configurator(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto found = configurators_.find(name);
  return found == configurators_.end() ? nullptr : &found->second;
}

std::vector<std::string> BehaviourRegistry::behaviour_names() const {
  std::shared_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, behaviour] : by_name_) names.push_back(name);
  return names;
}

std::vector<std::string> BehaviourRegistry::configurator_names() const {
  std::shared_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, strategy] : configurators_) names.push_back(name);
  return names;
}

std::vector<std::string> BehaviourRegistry::plugin_names() const {
  std::shared_lock lock(mutex_);
  return plugins_;
}

std::vector<DeclaredFailures> BehaviourRegistry::declared_failures() const {
  std::shared_lock lock(mutex_);
  return failures_;
}

}  // namespace actord::system
