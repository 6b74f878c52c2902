// SPDX-License-Identifier: Apache-2.0
//
// The interface through which a system asks which actors live in host processes, and what they are
// created with there. A system without isolation has none.
#pragma once

#include <memory>
#include <string_view>

#include "actor/actor_options.hpp"
#include "actor/behaviour.hpp"
#include "base/result.hpp"

namespace actord::actor {

/// Where isolated actors run whose dispatcher is not configured.
inline constexpr std::string_view blocking_dispatcher = "blocking-io";

class Isolator {
 public:
  struct Actor {
    const Behaviour& behaviour;
    std::string_view path;
    const ActorSettings& settings;
    const actord_props* props = nullptr;  // what code spawns it with; null: it is configured
  };
  /// What the actor is created with instead.
  struct Isolated {
    const Behaviour* behaviour = nullptr;  // null: it lives in this process
    Props::Create create = nullptr;
    std::shared_ptr<const void> origin;  // the arguments of `create`
  };

  virtual ~Isolator() = default;
  /// Any thread. The error says why the actor cannot be isolated, as it should be.
  virtual base::Result<Isolated> isolate(const Actor& actor) = 0;
  /// Whether actors may be isolated for which neither a node nor a pattern says so. Any thread.
  virtual bool isolates_by_plugin() const = 0;
};

}  // namespace actord::actor
