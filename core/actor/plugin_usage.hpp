// SPDX-License-Identifier: Apache-2.0
//
// How many actors, timers and asks the actors of one plugin have, and how many they may have: the
// limits that an operator sets in actord.plugins.limits.
//
// A plugin without a limit has no usage, and its actors count nothing. What it has when it gets
// its first limit is not counted, also when it ends: each actor, timer and ask knows whether it is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/sync.hpp"

namespace actord::actor {

/// The limits of a plugin, by PluginUsage::Kind.
using PluginLimits = std::array<std::int64_t, 3>;

/// Any thread.
class PluginUsage {
 public:
  enum Kind : std::uint8_t { actors, timers, asks };
  static constexpr std::int64_t unlimited = -1;
  static constexpr PluginLimits no_limits = {unlimited, unlimited, unlimited};

  explicit PluginUsage(std::string plugin_) : plugin(std::move(plugin_)) {}

  void set_limits(const PluginLimits& limits) noexcept;
  /// A configured actor counts, but no limit keeps it from starting.
  void count_configured_actor() noexcept { counts_[actors].used.fetch_add(1, base::relaxed); }
  /// Counts one more; false if the plugin has as many as it may.
  bool take(Kind kind) noexcept;
  void give(Kind kind) noexcept { counts_[kind].used.fetch_sub(1, base::relaxed); }

  /// Notes that take() was false. At most every ten seconds for each kind, returns how often it was
  /// since the last time.
  std::optional<std::uint64_t> note_refusal(Kind kind, std::int64_t now_ns) noexcept;
  std::int64_t used(Kind kind) const noexcept { return counts_[kind].used.load(base::relaxed); }
  std::int64_t limit(Kind kind) const noexcept { return counts_[kind].limit.load(base::relaxed); }

  const std::string plugin;

 private:
  // Relaxed: the numbers order nothing.
  struct Count {
    base::Atomic<std::int64_t> limit{unlimited};
    base::Atomic<std::int64_t> used{0};
    base::Atomic<std::uint64_t> refusals{0};
    base::Atomic<std::int64_t> quiet_until_ns{INT64_MIN};
  };
  std::array<Count, 3> counts_;
};

/// "actors", "timers" or "asks": as in the configuration and in the log.
std::string_view name_of(PluginUsage::Kind kind) noexcept;

/// The limits of all plugins that have any, by the plugin's name.
using LimitsByPlugin = std::map<std::string, PluginLimits, std::less<>>;

}  // namespace actord::actor
