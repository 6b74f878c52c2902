// SPDX-License-Identifier: Apache-2.0
//
// The secrets that only plugins know of: members of configs that their behaviours declare secret.
//
// Not here: what is done with them (layers/secret_store.hpp), and keys that actord itself has
// (schema.hpp).
#pragma once

#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

/// Those that the configuration has. Of an actor whose behaviour is not in the registry all in the
/// config are: nobody can tell.
std::vector<hocon::Value> secret_values(const Settings& settings,
                                        const system::BehaviourRegistry& registry);

/// All values of the tree that are secret and hold no others.
std::vector<hocon::Value> secrets_in(const hocon::Tree& tree);

/// Takes out of the findings what stands at the place of one of these.
void drop_what_is_about(const std::vector<hocon::Value>& values, hocon::Diagnostics& findings);

}  // namespace actord::settings
