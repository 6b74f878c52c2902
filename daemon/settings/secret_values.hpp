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

}  // namespace actord::settings
