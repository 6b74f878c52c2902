// SPDX-License-Identifier: Apache-2.0
//
// The plugin of the row boundary_ratio, in host processes.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "actor/behaviour.hpp"
#include "isolate/host_pool.hpp"
#include "link/isolated_plugin.hpp"
#include "rig.hpp"

namespace actord::bench {

/// Ends its hosts, and before them the actors of the rig.
class HostedPlugin {
 public:
  struct Options {
    unsigned spare = 1;
    std::int64_t stuck_timeout_ns = 0;  // 0: the usual
  };

  HostedPlugin(Rig& rig, unsigned spare) : HostedPlugin(rig, Options{.spare = spare}) {}
  HostedPlugin(Rig& rig, const Options& wanted)
      : rig_(rig),
        table_(*table_of(ACTORD_BOUNDARY_PLUGIN)),
        pool_(rig.system(), options(wanted), events()) {
    auto isolated = link::IsolatedPlugin::add(rig.system(), table_, pool_, ACTORD_BOUNDARY_PLUGIN);
    check(isolated.ok(), "isolation: the plugin is refused");
    isolated_ = std::move(isolated).value();
    auto copy = os::SealedCopy::of(ACTORD_BOUNDARY_PLUGIN, "boundary", SIZE_MAX);
    check(copy.ok(), "isolation: the plugin cannot be copied");
    pool_.add_plugin(*isolated_, ACTORD_BOUNDARY_PLUGIN,
                     std::make_shared<os::SealedCopy>(std::move(copy).value()));
  }
  ~HostedPlugin() { stop(); }

  /// An actor of the plugin in the host of that group. `dispatcher`: where it runs; the daemon lets
  /// isolated actors run on "blocking-io" unless it is told otherwise.
  Ref spawn(const std::string& behaviour, const std::string& group = {},
            std::string_view dispatcher = "default") {
    auto isolated = isolated_->isolate(
        {*rig_.system().behaviours().find_isolated("boundary/" + behaviour), {}, {}}, group);
    check(isolated.ok(), "isolation: an actor cannot be isolated");
    actor::PropsPtr props(new actor::Props(*isolated->behaviour));
    props->create = isolated->create;
    props->origin = std::move(isolated->origin);
    props->args.args = const_cast<void*>(static_cast<const void*>(props->origin.get()));
    return rig_.spawn_on(dispatcher, "iso" + std::to_string(++last_), std::move(props));
  }
  /// The process of the group, the newest if an older one has not quite ended; 0: there is none.
  int process(const std::string& group) const {
    std::int64_t youngest = INT64_MAX;
    int found = 0;
    for (const isolate::HostFacts& each : pool_.hosts()) {
      if (!each.is_adopted || each.group != group || each.age_ns >= youngest) continue;
      youngest = each.age_ns;
      found = each.process_id;
    }
    return found;
  }
  /// Waits until a process has attached the plugin after that one, and returns it. 0: the first.
  int wait_for_other_than(int process) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return newest_process_ != process; });
    return newest_process_;
  }
  /// How many processes have ended like that.
  std::int64_t ended_by(link::HostEnd::Kind kind) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::count(ends_, kind);
  }
  /// Ends the actors of the rig and then all hosts. All ends are counted afterwards.
  void stop() {
    rig_.stop();
    pool_.end_all();
  }
  /// Waits until so many hosts are ready to be taken.
  void wait_for_spares(std::size_t n) const {
    for (;;) {
      const auto hosts = pool_.hosts();
      const auto is_spare = [](const isolate::HostFacts& each) { return !each.is_adopted; };
      if (static_cast<std::size_t>(std::ranges::count_if(hosts, is_spare)) >= n) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }

 private:
  static const actord_plugin* table_of(const char* file) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    using Entry = const actord_plugin*();
    auto* const entry = reinterpret_cast<Entry*>(dlsym(library, "actord_plugin_v1"));
    check(entry != nullptr, "isolation: no plugin");
    return entry();
  }
  static isolate::IsolationOptions options(const Options& wanted) {
    isolate::IsolationOptions made;
    made.spare = wanted.spare;
    if (wanted.stuck_timeout_ns != 0) made.stuck_timeout_ns = wanted.stuck_timeout_ns;
    return made;
  }
  isolate::IsolationEvents events() {
    isolate::IsolationEvents told;
    told.ready = [this](const isolate::HostFacts& facts) {
      const std::lock_guard lock(mutex_);
      newest_process_ = facts.process_id;
      changed_.notify_all();
    };
    told.ended = [this](const isolate::HostFacts&, const isolate::HostDeath& death) {
      const std::lock_guard lock(mutex_);
      ends_.push_back(death.end.kind);
    };
    return told;
  }

  mutable std::mutex mutex_;  // guards what the isolation thread tells
  mutable std::condition_variable changed_;
  int newest_process_ = 0;
  std::vector<link::HostEnd::Kind> ends_;
  Rig& rig_;
  const actord_plugin& table_;
  std::unique_ptr<link::IsolatedPlugin> isolated_;
  isolate::HostPool pool_;
  int last_ = 0;
};

}  // namespace actord::bench
