// SPDX-License-Identifier: Apache-2.0
//
// The actor system of a configuration: creates it, loads the plugins, and binds the configuration
// to them. Then the system is started, or with --check only examined.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actor/reconfiguration.hpp"
#include "base/result.hpp"
#include "base/sync.hpp"
#include "config/boot_error.hpp"
#include "config/built_snapshot.hpp"
#include "config/resource_check.hpp"
#include "loader/plugin_loader.hpp"
#include "settings/binding.hpp"

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::sched {
class ThreadExecutor;
}  // namespace actord::sched

namespace actord::system {
class ActorSystem;
struct LiveSettings;
struct SystemListener;
}  // namespace actord::system

namespace actord::config {

struct ActorFindings;
struct ConfigDraft;
struct Configuration;
class Isolation;

/// Threads: main thread, except for what ActorSystem allows other threads and what is said below.
/// After an error before start() the object can only be destroyed.
class Runtime {
 public:
  struct LoadFailure {
    std::string plugin;
    BootError error;
  };
  /// look: plugins are only described, and no code of them runs in this process; load: they are
  /// loaded; attach: also attached. A runtime that looks does nothing else.
  enum class Use : std::uint8_t { look, load, attach };

  /// `hub` outlives the runtime. No thread runs before start().
  Runtime(const Configuration& configuration, log::Hub& hub, std::uint64_t boot_id);
  ~Runtime();

  /// Why the plugin with that file is in quarantine; nullopt: it may be loaded.
  using QuarantineOf = std::function<std::optional<actor::CrashCharge>(const std::string& file)>;
  /// From now on plugins in quarantine are not loaded. Their configured actors are in quarantine,
  /// too, and so are those below them.
  void respect_quarantine(QuarantineOf quarantine_of);

  // ---- any thread, but one at a time ----
  /// Loads the plugins that are named and not loaded yet. Logs each as event `plugin.loaded`.
  /// Loaded plugins stay loaded, whatever else fails. Returns the plugins that cannot be loaded.
  std::vector<LoadFailure> load_plugins(const settings::Settings& settings, loader::LoadMode mode);
  /// Loads plugins, fetches secrets, and builds a snapshot from the configuration's actors and path
  /// rules. The system keeps its current snapshot. An error holds everything that is wrong,
  /// including the errors of `draft`. Plugins are attached only if all of them could be loaded. At
  /// a start they are not tried out before: a plugin that crashes the process makes the start fail.
  ///
  /// What actor_check.hpp finds wrong with an actor is an error, with two exceptions. At a start
  /// with boot.on-failure = degrade the snapshot refuses to create the actor. At a reload it is a
  /// warning about an actor that runs with this config already, and an actor that the snapshot in
  /// effect refuses is refused again.
  base::Result<BuiltSnapshot, BootError> build_snapshot(const ConfigDraft& draft, Use use,
                                                        const Onlooker& onlooker = {});

  /// Loads, registers and attaches a plugin that was tried out and that no configuration names.
  /// Logs the event `plugin.loaded`. After an error no behaviour of it can be found.
  base::Result<void, loader::Refusal> adopt(loader::ExaminedPlugin plugin);
  /// No behaviour of the plugin can be found any more, and another build of it can be loaded. Logs
  /// the event `plugin.retired`. False: no such plugin is loaded.
  bool retire(std::string_view name);

  // ---- any thread, at any time ----
  struct LoadedPlugin {
    std::string name, version;
    loader::PluginImagePtr image;
    const actord_plugin* table = nullptr;  // valid until the process ends
    bool is_retired = false;
  };
  /// In the order of loading, without plugins that are only described.
  std::vector<LoadedPlugin> loaded_plugins() const;
  /// Only its functions for any thread may be used.
  const loader::PluginLoader& loader() const noexcept { return loader_; }

  // ---- main thread ----
  void start(actor::ConfigSnapshotPtr snapshot, system::SystemListener listener);
  /// Replaces the snapshot in effect; see ActorSystem.
  actor::ReconfigurationPtr reconfigure(actor::ConfigSnapshotPtr snapshot,
                                        const system::LiveSettings& live, bool is_forced,
                                        std::function<void()> on_done);
  /// Tells the plugins, the last loaded first, that the system has ended. Called after the system
  /// was joined, or if it was never started.
  void detach_plugins();

  system::ActorSystem& actors() noexcept { return *system_; }
  Isolation& isolation() noexcept { return *isolation_; }
  /// "file:line" where the configuration describes the actor at `path`; empty for other actors.
  std::string origin_of(std::string_view path) const;
  /// Paths of the actors that a stop waits for, or for whose children it does: configured actors
  /// that have not stopped and have no running configured child; then the actors of plugins below
  /// /system.
  std::vector<std::string> running_leaves() const;

 private:
  struct Plugin {
    const actord_plugin* table;
    loader::PluginImagePtr image;
    bool is_attached;
    std::shared_ptr<const loader::PluginDescription> description;  // owns `table`, if it is set
    bool is_retired = false;
    bool is_hosted = false;  // its code is in host processes only
  };
  /// The loaded plugin of that name that is not retired; null if there is none.
  Plugin* plugin(std::string_view name);
  std::optional<BootError> load(const settings::WantedPlugin& wanted, loader::LoadMode mode);
  /// Registers the plugin. One that was retired is as before.
  base::Result<void> add(const loader::LoadedPlugin& loaded, loader::LoadMode mode, bool is_hosted);
  base::Result<void> attach(Plugin& plugin);
  void withhold(const std::vector<settings::Bound::Withheld>& actors);
  std::optional<BootError> attach_plugins(const settings::Settings& settings);
  void judge(std::vector<ActorFindings> all, bool may_refuse, actor::NodeSpec* user,
             BootErrors& errors, BuiltSnapshot& built);
  const actor::NodeSpec& user() const;

  log::Hub& hub_;
  loader::PluginLoader loader_;
  std::unique_ptr<sched::ThreadExecutor> executor_;
  // Held while plugins_ changes, and by loaded_plugins(); one thread at a time changes it.
  mutable base::Mutex plugins_mutex_;
  std::vector<Plugin> plugins_;  // in the order of loading
  std::unique_ptr<system::ActorSystem> system_;
  std::unique_ptr<Isolation> isolation_;
  actor::ConfigSnapshotPtr snapshot_;  // the snapshot in effect
  std::uint64_t attempts_ = 0;         // snapshots built so far
  hocon::Diagnostics remarks_;         // about plugins, for the next snapshot
  QuarantineOf quarantine_of_;
  std::map<std::string, actor::CrashCharge, std::less<>> withheld_;  // plugins, by their names
};

}  // namespace actord::config
