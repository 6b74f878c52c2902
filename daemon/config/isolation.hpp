// SPDX-License-Identifier: Apache-2.0
//
// Which actors live in host processes, by the configuration, and the plugins that have such actors.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actor/isolator.hpp"
#include "base/sync.hpp"
#include "isolate/options.hpp"
#include "loader/plugin_image.hpp"
#include "settings/settings.hpp"

namespace actord::isolate {
class HostPool;
}  // namespace actord::isolate

namespace actord::link {
class IsolatedPlugin;
}  // namespace actord::link

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::config {

class Isolation {
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

  /// What a configuration says. Any thread.
  class Rules final : public actor::Isolator {
   public:
    explicit Rules(Isolation& isolation) : isolation_(isolation) {}

    base::Result<Isolated> isolate(const Actor& actor) override;
    bool isolates_by_plugin() const override;
    /// Whether all actors of the plugin live in host processes: its code is not loaded here.
    bool is_only_hosted(std::string_view plugin) const;

   private:
    friend Isolation;
    struct Content {
      actor::IsolationByPlugin by_plugin;
      bool may_be_here = false;  // a node or a pattern says that its actors need not be isolated
      bool isolates_after_crash = false;  // plugins of which the configuration says nothing
      settings::WorkerSettings worker;
    };
    bool is_process(const Actor& actor) const;
    std::string group_of(const Actor& actor) const;

    Isolation& isolation_;
    Content content_;  // under the lock of `isolation_`
  };

  /// `actors` and `hub` outlive the object.
  Isolation(system::ActorSystem& actors, log::Hub& hub);
  ~Isolation();
  Isolation(const Isolation&) = delete;
  Isolation& operator=(const Isolation&) = delete;

  /// Reads a configuration, whose snapshot is built with drafted(). One thread at a time.
  void draft(const settings::Settings& settings);
  Rules& drafted() { return draft_; }
  Rules& in_effect() { return in_effect_; }
  /// The snapshot takes effect: from now on the draft holds for what is spawned, too, and for the
  /// processes that are started.
  void take_effect();
  void find_plugins_with(FindPlugin find_plugin) { find_plugin_ = std::move(find_plugin); }
  void ask_for_crashes(HasCrashed has_crashed) { has_crashed_ = std::move(has_crashed); }

  /// Makes the behaviours of a plugin known of which this process has only a description. The error
  /// says what is wrong with it.
  base::Result<void> add(const Plugin& plugin);

  /// The plugin was retired: another build of its name may come. Its actors go on.
  void forget(std::string_view plugin);
  /// The host processes that there are, and what became of all of them. Any thread.
  std::vector<isolate::HostFacts> hosts() const;
  isolate::HostCountsByPlugin host_counts() const;
  /// Ends all hosts. Called when no actor runs any more.
  void end();

 private:
  /// The plugin with its tables for hosts; made at first use.
  base::Result<link::IsolatedPlugin*> plugin(const std::string& name);
  base::Result<link::IsolatedPlugin*> add_locked(const Plugin& plugin);
  isolate::HostPool& pool();
  const isolate::HostPool* made_pool() const;

  system::ActorSystem& actors_;
  log::Hub& hub_;
  FindPlugin find_plugin_;
  HasCrashed has_crashed_;

  mutable base::Mutex mutex_;  // of what follows
  Rules draft_{*this}, in_effect_{*this};
  std::vector<std::unique_ptr<link::IsolatedPlugin>> all_;             // actors point to them
  std::map<std::string, link::IsolatedPlugin*, std::less<>> plugins_;  // those that are not retired
  std::unique_ptr<isolate::HostPool> pool_;                            // made at first use
};

}  // namespace actord::config
