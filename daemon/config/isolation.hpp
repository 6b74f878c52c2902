// SPDX-License-Identifier: Apache-2.0
//
// Which actors live in host processes, by the configuration, and the plugins that have such actors.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "actor/isolator.hpp"
#include "base/sync.hpp"
#include "isolate/host_pool.hpp"
#include "link/isolated_plugin.hpp"
#include "loader/plugin_image.hpp"
#include "log/hub.hpp"
#include "settings/settings.hpp"
#include "system/actor_system.hpp"

namespace actord::config {

class Isolation final : public actor::Isolator {
 public:
  /// A plugin as the isolation needs it.
  struct Plugin {
    const actord_plugin* table;  // valid until the process ends
    loader::PluginImagePtr image;
  };
  /// Null: no such plugin is loaded.
  using FindPlugin = std::function<Plugin(std::string_view name)>;
  /// Whether a build of a plugin has crashed a process of actord, for isolation = auto.
  using HasCrashed = std::function<bool(const std::string& file)>;

  /// `actors` and `hub` outlive the object.
  Isolation(system::ActorSystem& actors, log::Hub& hub);
  ~Isolation() override;

  /// What holds for snapshots that are built from then on. Called while none is built.
  void apply(const settings::Settings& settings);
  void find_plugins_with(FindPlugin find_plugin) { find_plugin_ = std::move(find_plugin); }
  void ask_for_crashes(HasCrashed has_crashed) { has_crashed_ = std::move(has_crashed); }

  base::Result<Isolated> isolate(const Actor& actor) override;
  bool isolates_by_plugin() const override;

  /// Whether all actors of the plugin live in host processes, so that its code is not loaded here.
  bool is_only_hosted(std::string_view plugin) const;
  /// Makes the behaviours of a plugin known of which this process has only a description. The error
  /// says what is wrong with it.
  base::Result<void> add(const Plugin& plugin);

  /// All host processes. Any thread.
  std::vector<isolate::HostFacts> hosts() const;
  /// Ends all hosts. Called when no actor runs any more.
  void end();

 private:
  /// The plugin with its tables for hosts; made at first use.
  base::Result<link::IsolatedPlugin*> plugin(const std::string& name);
  base::Result<link::IsolatedPlugin*> add_locked(const Plugin& plugin);
  bool is_process(const Actor& actor) const;
  std::string group_of(const Actor& actor) const;
  isolate::IsolationEvents events();
  isolate::HostPool& pool();

  system::ActorSystem& actors_;
  log::Hub& hub_;
  FindPlugin find_plugin_;
  HasCrashed has_crashed_;

  mutable base::Mutex mutex_;  // of what follows
  actor::IsolationByPlugin by_plugin_;
  bool may_be_here_ = false;  // a node or a pattern says that its actors need not be isolated
  bool isolates_after_crash_ = false;  // plugins of which the configuration says nothing
  settings::WorkerSettings worker_;
  std::map<std::string, std::unique_ptr<link::IsolatedPlugin>, std::less<>> plugins_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const void>> origins_;
  std::unique_ptr<isolate::HostPool> pool_;  // made at first use
};

}  // namespace actord::config
