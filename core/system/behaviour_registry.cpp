// SPDX-License-Identifier: Apache-2.0
#include "system/behaviour_registry.hpp"

#include <algorithm>
#include <span>

namespace actord::system {

using actor::Behaviour;
using message::view;

namespace {

/// The message type of `plugin` with that name before the one at `end`; null if there is none.
const actord_message_type* type_before(const actord_plugin& plugin, std::size_t end) {
  const std::string_view name = view(plugin.messages[end]->name);
  const std::span earlier(plugin.messages, end);
  const auto found =
      std::ranges::find_if(earlier, [&](const auto* each) { return view(each->name) == name; });
  return found == earlier.end() ? nullptr : *found;
}

}  // namespace

/// A plugin that is refused leaves no behaviour behind, since the next reload may load it again.
/// Its message types stay: their ids are never reused.
base::Result<void> BehaviourRegistry::add(const actord_plugin& plugin, std::string_view file) {
  const std::string name{view(plugin.name)};
  const auto refused = [&](const std::string& why) {
    return base::Error{"plugin " + name + ": " + why};
  };
  const std::string declarer = declarer_of(plugin, file);
  for (std::size_t i = 0; i < plugin.n_messages; ++i) {
    const auto id = types_.add(*plugin.messages[i], declarer);
    const actord_message_type* const same = type_before(plugin, i);
    if (same == nullptr && !id) return refused(id.error().what);
    if (same != nullptr && (!id || *same->id != *id))
      return refused("two different message types of it are named " +
                     std::string{view(plugin.messages[i]->name)});
  }
  std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Behaviour>> made;
  for (std::size_t i = 0; i < plugin.n_behaviours; ++i) {
    auto behaviour = Behaviour::load(
        *plugin.behaviours[i], {name, view(plugin.version), plugin.abi_minor, declarer}, types_);
    if (!behaviour) return refused(behaviour.error().what);
    const std::string& added = (*behaviour)->name;
    if (by_name_.contains(added))
      return refused("another plugin of that name, which is loaded, has the behaviour " + added);
    if (std::ranges::any_of(made, [&](const auto& each) { return each->name == added; }))
      return refused("two of its behaviours are named " + added);
    made.push_back(std::move(*behaviour));
  }
  Configurators strategies;
  for (std::size_t i = 0; i < plugin.n_configurators; ++i) {
    const actord_configurator& from = *plugin.configurators[i];
    const std::string full_name = name + '/' + std::string{view(from.name)};
    if (from.strategy == nullptr) return refused("configurator " + full_name + " has no strategy");
    actor::Strategy strategy = actor::from_c(*from.strategy, full_name);
    strategy.asks_code_first = false;
    strategy.decide = from.decide;
    if (!strategies.emplace(full_name, std::move(strategy)).second)
      return refused("two of its configurators are named " + full_name);
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    by_name_.emplace(made[i]->name, made[i].get());
    by_table_[plugin.behaviours[i]] = made[i].get();
    count_in_usage(*made[i]);
    behaviours_.push_back(std::move(made[i]));
  }
  configurators_.merge(strategies);
  declare_failures(plugin);
  if (std::ranges::find(plugins_, name) == plugins_.end()) plugins_.push_back(name);
  return {};
}

std::string BehaviourRegistry::declarer_of(const actord_plugin& plugin, std::string_view file) {
  std::string text = std::string{view(plugin.name)} + ' ' + std::string{view(plugin.version)};
  std::lock_guard lock(mutex_);
  const int number = ++times_added_[text];
  if (number != 1) text += " (" + std::to_string(number) + ')';
  return file.empty() ? text : text.append(", ").append(file);
}

void BehaviourRegistry::retire(std::string_view plugin) {
  std::lock_guard lock(mutex_);
  const std::string prefix = std::string{plugin} + '/';
  std::erase_if(by_name_, [&](const auto& each) { return each.first.starts_with(prefix); });
  for (auto each = configurators_.begin(); each != configurators_.end();) {
    const auto next = std::next(each);
    if (each->first.starts_with(prefix))
      retired_configurators_.push_back(configurators_.extract(each));
    each = next;
  }
  std::erase(plugins_, plugin);
  std::erase_if(failures_, [&](const DeclaredFailures& each) { return each.plugin == plugin; });
}

void BehaviourRegistry::set_limits(const actor::LimitsByPlugin& limits) {
  using actor::PluginUsage;
  std::lock_guard lock(mutex_);
  for (auto& [plugin, usage] : usages_) {
    if (!limits.contains(plugin)) usage.set_limits(PluginUsage::no_limits);
  }
  for (const auto& [plugin, wanted] : limits)
    usages_.try_emplace(plugin, plugin).first->second.set_limits(wanted);
  for (const auto& behaviour : behaviours_) count_in_usage(*behaviour);
}

void BehaviourRegistry::count_in_usage(const Behaviour& behaviour) {
  const auto found = usages_.find(behaviour.plugin);
  if (found != usages_.end()) behaviour.count_in(found->second);
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
  count_in_usage(**behaviour);
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
  return load(table, {spawner.plugin, spawner.version, spawner.abi_minor, spawner.declarer});
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
