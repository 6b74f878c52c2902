// SPDX-License-Identifier: Apache-2.0
//
// The last check of a configuration: compares the settings with the behaviours of the loaded
// plugins and converts them into the types of the runtime.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "sdk/config_value.hpp"
#include "settings/settings.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::settings {

struct Bound {
  /// An actor whose plugin is not loaded on purpose. It must not be started.
  struct Withheld {
    std::string path, plugin, behaviour;
  };
  actor::NodeSpec user;  // the guardian with its strategy and its configured children
  std::vector<actor::Deployment> deployments;  // the most specific first
  std::vector<Withheld> withheld;
  hocon::Diagnostics warnings;
};

/// An actor whose config its declared types and limits allow.
struct SoundActor {
  std::string path;  // of the actor itself, behind a back-off supervisor
  const Node* node = nullptr;
  const actor::Behaviour* behaviour = nullptr;
};

/// Binds `settings`, or returns all errors: unknown behaviours and configurators, and configs that
/// the behaviours do not accept. Keys that a behaviour does not declare are errors or warnings as
/// `settings.unknown_keys` says. Names of failures that no plugin declares are warnings or remarks
/// (rule_check.hpp). `reader` reads the tree of `settings` and lives as long as
/// anything created from the result; `registry` outlives the system. `sound` receives the actors
/// whose configs have no errors, also if others have; their nodes are those of `settings`.
/// `withheld` are the names of plugins that are not loaded on purpose.
base::Result<Bound, hocon::Diagnostics> bind(
    const Settings& settings, const system::BehaviourRegistry& registry,
    const sdk::ConfigReader& reader, std::vector<SoundActor>* sound = nullptr,
    const std::set<std::string, std::less<>>& withheld = {});

}  // namespace actord::settings
