// SPDX-License-Identifier: Apache-2.0
//
// The plugin of the row boundary_ratio, in host processes.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "actor/behaviour.hpp"
#include "isolate/host_pool.hpp"
#include "link/isolated_plugin.hpp"
#include "rig.hpp"

namespace actord::bench {

/// Ends its hosts, and before them the actors of the rig.
class HostedPlugin {
 public:
  HostedPlugin(Rig& rig, unsigned spare)
      : rig_(rig),
        table_(*table_of(ACTORD_BOUNDARY_PLUGIN)),
        pool_(rig.system(), options(spare), {}) {
    auto isolated = link::IsolatedPlugin::add(rig.system(), table_, pool_, ACTORD_BOUNDARY_PLUGIN);
    check(isolated.ok(), "isolation: the plugin is refused");
    isolated_ = std::move(isolated).value();
    auto copy = os::SealedCopy::of(ACTORD_BOUNDARY_PLUGIN, "boundary", SIZE_MAX);
    check(copy.ok(), "isolation: the plugin cannot be copied");
    pool_.add_plugin({.name = "boundary",
                      .file = ACTORD_BOUNDARY_PLUGIN,
                      .copy = std::make_shared<os::SealedCopy>(std::move(copy).value()),
                      .welcome = [this] { return isolated_->welcome(); },
                      .serve_outside =
                          [this](std::string_view request, std::string& answer) {
                            return isolated_->serve_outside(request, answer);
                          }});
  }
  ~HostedPlugin() {
    rig_.stop();
    pool_.end_all();
  }

  /// An actor of the plugin in the host of that group.
  Ref spawn(const std::string& behaviour, const std::string& group = {}) {
    auto isolated = isolated_->isolate(
        {*rig_.system().behaviours().find_isolated("boundary/" + behaviour), {}, {}}, group);
    check(isolated.ok(), "isolation: an actor cannot be isolated");
    actor::PropsPtr props(new actor::Props(*isolated->behaviour));
    props->create = isolated->create;
    props->origin = std::move(isolated->origin);
    props->args.args = const_cast<void*>(static_cast<const void*>(props->origin.get()));
    const auto spawned = rig_.system().spawn("iso" + std::to_string(++last_), std::move(props));
    check(spawned.ok(), "isolation: an actor cannot be spawned");
    return {*spawned};
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
  static isolate::IsolationOptions options(unsigned spare) {
    isolate::IsolationOptions made;
    made.spare = spare;
    return made;
  }

  Rig& rig_;
  const actord_plugin& table_;
  std::unique_ptr<link::IsolatedPlugin> isolated_;
  isolate::HostPool pool_;
  int last_ = 0;
};

}  // namespace actord::bench
