// SPDX-License-Identifier: Apache-2.0
//
// The actor system as the configuration wants it: made, filled with plugins, bound, and then
// started, or with --check only looked at.
#pragma once

#include <memory>

#include "app/boot_error.hpp"
#include "app/configuration.hpp"
#include "base/result.hpp"
#include "loader/plugin_loader.hpp"
#include "log/hub.hpp"
#include "sched/thread_executor.hpp"
#include "sdk/config_value.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

/// Main thread, but for what ActorSystem allows others. After an error only destruction is left.
class Runtime {
 public:
  /// What becomes of a plugin that is found good.
  enum class Use : std::uint8_t { look_only, attach };

  /// Both outlive it. No thread runs before start().
  Runtime(const Configuration& configuration, log::Hub& hub, std::uint64_t boot_id);

  /// Loads what the configuration names, and tells of each in an event `plugin.loaded`.
  base::Result<bool, BootError> load_plugins(Use use);
  /// Turns the configuration's actors and path rules into those of the system.
  base::Result<bool, BootError> bind();
  void start(system::Milestones milestones);
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
  base::Result<bool, BootError> load(const settings::WantedPlugin& wanted, Use use);

  const Configuration& configuration_;
  log::Hub& hub_;
  loader::PluginLoader loader_;
  sched::ThreadExecutor executor_;
  sdk::ConfigReader reader_;
  settings::Bound bound_;                       // actors refer to it
  std::vector<const actord_plugin*> attached_;  // in the order of loading
  std::unique_ptr<system::ActorSystem> system_;
};

}  // namespace actord::app
