// SPDX-License-Identifier: Apache-2.0
//
// All behaviours that a system knows, by name and by table, and the strategies that plugins
// export. An entry is never freed, because plugins are never unmapped. Any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "actor/behaviour.hpp"
#include "base/sync.hpp"

namespace actord::system {

/// What a plugin declares about the failures of its actors.
struct DeclaredFailures {
  std::string plugin;
  std::vector<std::vector<std::string>> types;  // each with its bases, most derived first
};

class BehaviourRegistry {
 public:
  explicit BehaviourRegistry(message::TypeRegistry& types);
  ~BehaviourRegistry();

  /// Registers the messages, then the behaviours, then the configurators of a plugin. The error
  /// says what is wrong with the plugin; entries made before the error stay and are unused. `file`
  /// is that of the plugin, for what is said of it later; empty: it has none.
  base::Result<void> add(const actord_plugin& plugin, std::string_view file = {});
  /// The same for a plugin whose actors live in host processes. A plugin may be added in both ways:
  /// its behaviours are found by find_isolated(), and by find() if they are not found otherwise.
  base::Result<void> add_isolated(const actord_plugin& plugin, const actor::Remoting& remoting,
                                  std::string_view file);

  /// Registers a behaviour of such a plugin that it does not list, by its table alone.
  base::Result<const actor::Behaviour*> add_isolated(const actord_behaviour& table,
                                                     std::string_view plugin);

  /// From now on nothing of the plugin is found by its name. Its actors go on, also those that they
  /// spawn, and another build of the plugin can be added.
  void retire(std::string_view plugin);

  base::Result<const actor::Behaviour*> find(std::string_view name) const;
  /// Null if no plugin of that behaviour was added as isolated.
  const actor::Behaviour* find_isolated(std::string_view name) const;
  /// Finds a behaviour by its table, or registers it. A new one belongs to the plugin of `spawner`.
  base::Result<const actor::Behaviour*> find(const actord_behaviour& table,
                                             const actor::Behaviour& spawner);
  /// Null if no plugin exports it. Valid as long as the registry.
  const actor::Strategy* configurator(std::string_view name) const;

  /// Limits what the actors of each plugin may have. Plugins that `limits` does not name, loaded or
  /// not, have no limits.
  void set_limits(const actor::LimitsByPlugin& limits);

  const message::TypeRegistry& types() const noexcept { return types_; }
  std::vector<std::string> behaviour_names() const;
  std::vector<std::string> configurator_names() const;
  std::vector<std::string> plugin_names() const;
  /// What each plugin declares that declares any, in the order of loading.
  std::vector<DeclaredFailures> declared_failures() const;

 private:
  // Makes all behaviours of a plugin known, or none. Call under the exclusive lock.
  base::Result<void> add_behaviours(const actord_plugin& plugin, const std::string& declarer,
                                    const actor::Remoting* remoting);
  // Makes the Behaviour of a table. Call under the exclusive lock.
  base::Result<const actor::Behaviour*> load(const actord_behaviour& table,
                                             const actor::Behaviour::Plugin& plugin,
                                             const actor::Remoting* remoting = nullptr);
  // What the types of the plugin are registered with: its name and version, with a number if a
  // plugin of these was added before, which may have been built otherwise; and its file.
  std::string declarer_of(const actord_plugin& plugin, std::string_view file);
  void declare_failures(const actord_plugin& plugin);
  // Makes `behaviour` count in the usage of its plugin, if that has one.
  void count_in_usage(const actor::Behaviour& behaviour);

  message::TypeRegistry& types_;
  mutable base::SharedMutex mutex_;
  std::vector<std::unique_ptr<actor::Behaviour>> behaviours_;
  std::map<std::string, const actor::Behaviour*, std::less<>> by_name_, isolated_by_name_;
  std::unordered_map<const actord_behaviour*, const actor::Behaviour*> by_table_;
  using Configurators = std::map<std::string, actor::Strategy, std::less<>>;
  Configurators configurators_;
  std::vector<Configurators::node_type> retired_configurators_;  // snapshots point to them
  std::vector<std::string> plugins_;
  struct Isolated {
    std::string version, declarer;
    std::uint16_t abi_minor;
    const actor::Remoting* remoting;
  };
  std::map<std::string, Isolated, std::less<>> isolated_;  // plugins
  std::map<std::string, int> times_added_;                 // by name and version
  std::vector<DeclaredFailures> failures_;
  std::map<std::string, actor::PluginUsage, std::less<>> usages_;  // by plugin
};

}  // namespace actord::system
