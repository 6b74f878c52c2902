// SPDX-License-Identifier: Apache-2.0
//
// The actor system as the configuration wants it: made, filled with plugins, bound, and then
// started, or with --check only looked at.
#pragma once

#include <functional>
#include <memory>

#include "app/boot_error.hpp"
#include "app/configuration.hpp"
#include "base/result.hpp"
#include "loader/plugin_loader.hpp"
#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

/// Main thread, but for what ActorSystem allows others, and what is said below. After an error
/// before the start only destruction is left.
class Runtime {
 public:
  /// A configuration that can be carried out, and what is odd about it beyond its settings.
  struct BuiltSnapshot {
    actor::ConfigSnapshotPtr snapshot;
    hocon::Diagnostics warnings;
  };
  struct Unloaded {
    std::string plugin;
    BootError error;
  };
  /// What becomes of a plugin that is found good.
  enum class Use : std::uint8_t { look_only, attach };

  /// The hub outlives it. No thread runs before start().
  Runtime(const Configuration& configuration, log::Hub& hub, std::uint64_t boot_id);

  // ---- one thread at a time, whichever ----
  /// Loads the plugins that are named and not here yet, after a trial of each, and tells of each in
  /// an event `plugin.loaded`. What was loaded stays, whatever else is wrong. The answer are those
  /// that cannot be loaded.
  std::vector<Unloaded> load_plugins(const settings::Settings& settings,
                                     loader::PreloadCheck check = loader::PreloadCheck::first);
  /// As load_plugins(), fetches secrets, and turns the actors and path rules of a configuration
  /// into those of the system, which goes on with those that it has. All that is wrong is told,
  /// that of the draft included. Plugins are attached when all of them could be loaded. At a start
  /// there is no trial: a plugin that takes the process with it is one that a start fails by.
  base::Result<BuiltSnapshot, BootError> build_snapshot(const ConfigDraft& draft, Use use);

  // ---- main thread ----
  void start(actor::ConfigSnapshotPtr snapshot, system::SystemListener listener);
  /// Puts it in the place of the one that holds; see ActorSystem.
  actor::ReconfigurationPtr reconfigure(actor::ConfigSnapshotPtr snapshot,
                                        const system::LiveSettings& live,
                                        std::function<void()> on_done);
  /// Tells the plugins, the last one first, that it is over. After the system was joined, or when
  /// it was never started.
  void detach_plugins();

  system::ActorSystem& actors() noexcept { return *system_; }
  /// Where the configuration describes the actor of that path: "file:line"; empty for any other
  /// actor.
  std::string origin_of(std::string_view path) const;
  /// Paths of configured actors that have not stopped and wait for no configured child: those that
  /// hold up the way down, or what they have spawned themselves.
  std::vector<std::string> last_configured_actors() const;
  /// Actors that the configuration describes.
  std::size_t configured_actors() const;

 private:
  struct Plugin {
    const actord_plugin* table;
    std::string file;
    bool is_attached;
  };
  Plugin* plugin(std::string_view name);
  std::optional<BootError> load(const settings::WantedPlugin& wanted, loader::PreloadCheck check);
  std::optional<BootError> attach_plugins(const settings::Settings& settings);
  const actor::NodeSpec& user() const;

  log::Hub& hub_;
  loader::PluginLoader loader_;
  sched::ThreadExecutor executor_;
  std::vector<Plugin> plugins_;  // in the order of loading
  std::unique_ptr<system::ActorSystem> system_;
  actor::ConfigSnapshotPtr snapshot_;  // that holds
};

}  // namespace actord::app
