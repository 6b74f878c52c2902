// SPDX-License-Identifier: Apache-2.0
//
// The last check of a configuration: compares the settings with the behaviours of the loaded
// plugins and converts them into the types of the runtime.
#pragma once

#include "sdk/config_value.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

struct Bound {
  actor::NodeSpec user;  // the guardian with its strategy and its configured children
  std::vector<actor::Deployment> deployments;  // the most specific first
  hocon::Diagnostics warnings;
};

/// Binds `settings`, or returns all errors: unknown behaviours and configurators, and configs that
/// the behaviours do not accept. Keys that a behaviour does not declare are errors or warnings as
/// `settings.unknown_keys` says. Names of failures that no plugin declares are warnings or remarks
/// (rule_check.hpp). `reader` reads the tree of `settings` and lives as long as
/// anything created from the result; `registry` outlives the system.
base::Result<Bound, hocon::Diagnostics> bind(const Settings& settings,
                                             const system::BehaviourRegistry& registry,
                                             const sdk::ConfigReader& reader);

}  // namespace actord::settings
