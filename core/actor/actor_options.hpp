// SPDX-License-Identifier: Apache-2.0
//
// The settings of an actor that an operator may choose: in a node of actord.user, or in a pattern
// of actord.actor.deployment for all actors whose paths match. Akka calls them Deploy.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "actor/message_ranks.hpp"
#include "actor/overflow.hpp"
#include "actor/strategy.hpp"

namespace actord::actor {

/// Where the instance of an actor lives.
enum class Isolation : std::uint8_t {
  unset,     // not configured
  thread,    // in this process
  process,   // in a host process
  automatic  // in this process, and in a host process once the plugin has crashed one
};
/// By the name of the plugin.
using IsolationByPlugin = std::map<std::string, Isolation, std::less<>>;

/// The router block of a pattern, for the routers that code creates.
struct RouterRule {
  std::int64_t size = 0;                 // routees of a pool; 0: not configured
  actord_value value{nullptr, nullptr};  // the block, for the constructor of the router
};

/// The settings as the operator has written them. The dispatcher is named, because options are read
/// before there are dispatchers.
struct ActorOptions {
  static constexpr std::int64_t unlimited = -1;  // of a capacity

  std::optional<Strategy> strategy = {};
  std::string dispatcher = {};          // empty: not configured
  std::int64_t mailbox_capacity = 0;    // messages; 0: not configured; negative: unlimited
  Overflow overflow = Overflow::unset;  // of a mailbox with a capacity
  std::int64_t push_timeout_ns = 0;     // of Overflow::wait; 0: not configured
  // The order of the mailbox. Not configured: an empty list, and nullopt. Types that `control`
  // names are control messages, besides those that their plugins declare so.
  TypeNames priority = {};
  std::optional<TypeNames> control = {};
  std::int64_t stash_capacity = 0;  // messages; 0: not configured; negative: unlimited
  // How often the actor is given a message on which it fails, before that goes into the quarantine;
  // 0: it is dropped when the actor fails; nullopt: not configured.
  std::optional<std::uint32_t> attempts_max = {};
  // Whether an ask fails with its handler (supervision.md 188); nullopt: not configured.
  std::optional<bool> asks_fail = {};
  Isolation isolation = Isolation::unset;
  // Which isolated actors of a plugin share a host process: "per-plugin", "per-actor" or
  // "shared:NAME"; empty: not configured.
  std::string worker_group = {};
  std::optional<RouterRule> router = {};  // of patterns only
};

/// A path pattern and the options of the actors with a matching path.
struct Deployment {
  std::string pattern;  // "/user/crawler/*"
  ActorOptions options = {};
};

/// The options that hold for one actor. Pointers and `worker_group` point into the snapshot that
/// they come from.
struct ActorSettings {
  const Strategy* strategy = nullptr;  // null: not configured
  std::uint16_t dispatcher = 0;        // id; 0: not configured
  std::int64_t mailbox_capacity = 0;   // as in ActorOptions
  Overflow overflow = Overflow::unset;
  std::int64_t push_timeout_ns = 0;     // as in ActorOptions
  const TypeNames* priority = nullptr;  // null: not configured
  const TypeNames* control = nullptr;   // null: not configured
  const MessageRanks* ranks = nullptr;  // what these two come to; null: neither is configured
  std::int64_t stash_capacity = 0;      // as in ActorOptions
  std::uint32_t attempts_max = 0;       // as in ActorOptions; 0: not configured, too
  std::optional<bool> asks_fail = {};   // as in ActorOptions
  Isolation isolation = Isolation::unset;
  std::string_view worker_group = {};  // as in ActorOptions
  const RouterRule* router = nullptr;  // null: not configured
};

/// Whether there is something that the Props of a single actor have to hold.
inline bool has_settings_of_props(const ActorSettings& settings) noexcept {
  return settings.strategy != nullptr || settings.stash_capacity != 0 ||
         settings.attempts_max != 0 || settings.asks_fail.has_value();
}

/// What the settings of an actor leave open, its plugin's decides, and else it is `otherwise`.
/// Between `thread` and `process`, `automatic` is decided elsewhere, from what the plugin
/// has done.
inline Isolation isolation_of(const ActorSettings& settings, const IsolationByPlugin& plugins,
                              std::string_view plugin, Isolation otherwise = Isolation::thread) {
  if (settings.isolation != Isolation::unset) return settings.isolation;
  const auto found = plugins.find(plugin);
  return found != plugins.end() ? found->second : otherwise;
}

}  // namespace actord::actor
