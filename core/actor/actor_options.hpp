// SPDX-License-Identifier: Apache-2.0
//
// The settings of an actor that an operator may choose: in a node of actord.user, or in a pattern
// of actord.actor.deployment for all actors whose paths match. Akka calls them Deploy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "actor/strategy.hpp"

namespace actord::actor {

/// The settings as the operator has written them. The dispatcher is named, because options are read
/// before there are dispatchers.
struct ActorOptions {
  static constexpr std::int64_t unlimited = -1;  // of a capacity

  std::optional<Strategy> strategy = {};
  std::string dispatcher = {};        // empty: not configured
  std::int64_t mailbox_capacity = 0;  // messages; 0: not configured; negative: unlimited
  std::int64_t stash_capacity = 0;    // messages; 0: not configured; negative: unlimited
};

/// A path pattern and the options of the actors with a matching path.
struct Deployment {
  std::string pattern;  // "/user/crawler/*"
  ActorOptions options = {};
};

/// The options that hold for one actor. `strategy` points into the snapshot that they come from.
struct ActorSettings {
  const Strategy* strategy = nullptr;  // null: not configured
  std::uint16_t dispatcher = 0;        // id; 0: not configured
  std::int64_t mailbox_capacity = 0;   // as in ActorOptions
  std::int64_t stash_capacity = 0;     // as in ActorOptions
};

}  // namespace actord::actor
