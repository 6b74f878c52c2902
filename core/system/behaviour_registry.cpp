// SPDX-License-Identifier: Apache-2.0
#include "system/behaviour_registry.hpp"

#include <algorithm>
#include <span>

#include "system/declared_types.hpp"

namespace actord::system {

using actor::Behaviour;
using message::view;

namespace {

// Registers the messages of a plugin for `declarer`. The error says what is wrong with them.
base::Result<void> add_messages(message::TypeRegistry& types, const actord_plugin& plugin,
                                const std::string& declarer) {
  const auto declared = declared_types(plugin);
  if (!declared) return declared.error();
  for (std::size_t i = 0; i < declared->size(); ++i) {
    const DeclaredType& each = (*declared)[i];
    const std::string_view name = view(each.table->name);
    const auto id = types.add(*each.table, declarer);
    const std::span earlier(declared->data(), i);
    const auto same = std::ranges::find(
        earlier, name, [](const DeclaredType& other) { return view(other.table->name); });
    if (same == earlier.end() && !id) return id.error();
    if (same != earlier.end() && (!id || *same->id != *id))
      return base::Error{"two different message types of it are named " + std::string{name}};
    *each.id = *id;
  }
  return {};
}

base::Error refusal_of(const actord_plugin& plugin, const std::string& why) {
  return {"plugin " + std::string{view(plugin.name)} + ": " + why};
}

}  // namespace

BehaviourRegistry::BehaviourRegistry(message::TypeRegistry& types) : types_(types) {}
BehaviourRegistry::~BehaviourRegistry() = default;

base::Result<void> BehaviourRegistry::add_behaviours(const actord_plugin& plugin,
                                                     const std::string& declarer,
                                                     const actor::Remoting* remoting) {
  const std::string name{view(plugin.name)};
  auto& by_name = remoting == nullptr ? by_name_ : isolated_by_name_;
  std::vector<std::unique_ptr<Behaviour>> made;
  for (std::size_t i = 0; i < plugin.n_behaviours; ++i) {
    auto behaviour =
        Behaviour::load(*plugin.behaviours[i],
                        {name, view(plugin.version), plugin.abi_minor, declarer}, types_, remoting);
    if (!behaviour) return std::move(behaviour).error();
    const std::string& added = (*behaviour)->name;
    if (by_name.contains(added))
      return base::Error{"another plugin of that name, which is loaded, has the behaviour " +
                         added};
    if (std::ranges::any_of(made, [&](const auto& each) { return each->name == added; }))
      return base::Error{"two of its behaviours are named " + added};
    made.push_back(std::move(*behaviour));
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    by_name.emplace(made[i]->name, made[i].get());
    by_table_[plugin.behaviours[i]] = made[i].get();
    count_in_usage(*made[i]);
    behaviours_.push_back(std::move(made[i]));
  }
  return {};
}

base::Result<void> BehaviourRegistry::add_isolated(const actord_plugin& plugin,
                                                   const actor::Remoting& remoting,
                                                   std::string_view file) {
  const std::string declarer = declarer_of(plugin, file);
  if (auto added = add_messages(types_, plugin, declarer); !added)
    return refusal_of(plugin, added.error().what);
  std::lock_guard lock(mutex_);
  if (auto added = add_behaviours(plugin, declarer, &remoting); !added)
    return refusal_of(plugin, added.error().what);
  const std::string name{view(plugin.name)};
  isolated_[name] = {std::string{view(plugin.version)}, declarer, plugin.abi_minor, &remoting};
  if (std::ranges::find(plugins_, name) != plugins_.end()) return {};
  declare_failures(plugin);
  plugins_.push_back(name);
  return {};
}

base::Result<const Behaviour*> BehaviourRegistry::add_isolated(const actord_behaviour& table,
                                                               std::string_view plugin) {
  std::lock_guard lock(mutex_);
  if (const auto found = by_table_.find(&table); found != by_table_.end()) return found->second;
  const auto of = isolated_.find(plugin);
  ACTORD_ASSERT(of != isolated_.end());
  const Isolated& it = of->second;
  return load(table, {plugin, it.version, it.abi_minor, it.declarer}, it.remoting);
}

/// A plugin that is refused leaves no behaviour behind, since the next reload may load it again.
/// Its message types stay: their ids are never reused.
base::Result<void> BehaviourRegistry::add(const actord_plugin& plugin, std::string_view file) {
  const std::string name{view(plugin.name)};
  const auto refused = [&](const std::string& why) { return refusal_of(plugin, why); };
  const std::string declarer = declarer_of(plugin, file);
  if (auto added = add_messages(types_, plugin, declarer); !added)
    return refused(added.error().what);
  std::lock_guard lock(mutex_);
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
  if (auto added = add_behaviours(plugin, declarer, nullptr); !added)
    return refused(added.error().what);
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
  for (auto* const names : {&by_name_, &isolated_by_name_})
    std::erase_if(*names, [&](const auto& each) { return each.first.starts_with(prefix); });
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
                                                       const Behaviour::Plugin& plugin,
                                                       const actor::Remoting* remoting) {
  auto behaviour = Behaviour::load(table, plugin, types_, remoting);
  if (!behaviour) return std::move(behaviour).error();
  by_table_[&table] = behaviour->get();
  count_in_usage(**behaviour);
  return behaviours_.emplace_back(std::move(*behaviour)).get();
}

base::Result<const Behaviour*> BehaviourRegistry::find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return found->second;
  const auto isolated = isolated_by_name_.find(name);
  if (isolated != isolated_by_name_.end()) return isolated->second;
  return base::Error{"no loaded plugin has a behaviour " + std::string{name}};
}

const Behaviour* BehaviourRegistry::find_isolated(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto found = isolated_by_name_.find(name);
  return found != isolated_by_name_.end() ? found->second : nullptr;
}

base::Result<const Behaviour*> BehaviourRegistry::find(const actord_behaviour& table,
                                                       const Behaviour& spawner) {
  {
    std::shared_lock lock(mutex_);
    if (const auto found = by_table_.find(&table); found != by_table_.end()) return found->second;
  }
  std::lock_guard lock(mutex_);
  if (const auto found = by_table_.find(&table); found != by_table_.end()) return found->second;
  return load(table, {spawner.plugin, spawner.version, spawner.abi_minor, spawner.declarer},
              spawner.remoting);
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
  for (const auto& [name, behaviour] : isolated_by_name_) {
    if (!by_name_.contains(name)) names.push_back(name);
  }
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
