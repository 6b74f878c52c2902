// SPDX-License-Identifier: Apache-2.0
//
// Secrets that only plugins declare. They are fetched and hidden here; the secrets that actord
// itself declares are fetched and hidden when the files are read.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.hpp"
#include "hocon/kept_secrets.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::config {

/// Fetches and hides the values that behaviours of `registry` declare secret. If the behaviour of
/// an actor is not registered, the actor's whole config is hidden and nothing in it is fetched.
/// Returns the secrets that cannot be fetched; warnings are added to those of the configuration.
/// Called before any other code reads the tree of the configuration.
hocon::SecretFindings fetch_plugin_secrets(const Configuration& configuration,
                                           const system::BehaviourRegistry& registry);

/// The same for a configuration that is only shown: loads its plugins as far as possible first.
void fetch_plugin_secrets(const Configuration& configuration);

/// The texts of the secrets that are known so far.
std::vector<std::string> secret_texts(const Configuration& configuration);

}  // namespace actord::config
