// SPDX-License-Identifier: Apache-2.0
//
// The last check: settings against the behaviours of the plugins that were loaded, and what comes
// out of it in the words of the runtime.
#pragma once

#include "sdk/config_value.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

struct Bound {
  actor::NodeSpec user;                 // the guardian, its strategy and its configured children
  std::vector<system::PathRule> rules;  // the most specific first
  hocon::Diagnostics warnings;
};

/// `reader` reads the tree of `settings` and lives as long as anything that comes of it; the
/// registry outlives the system. Otherwise all errors: unknown behaviours and configurators,
/// configs that the behaviours do not take. Keys that a behaviour does not know are treated as
/// those of the settings were.
base::Result<Bound, hocon::Diagnostics> bind(const Settings& settings,
                                             const system::BehaviourRegistry& registry,
                                             const sdk::ConfigReader& reader);

}  // namespace actord::settings
