// SPDX-License-Identifier: Apache-2.0
//
// The secrets that only plugins know of: members of configs that their behaviours declare secret.
//
// Not here: what is done with them (hocon/kept_secrets.hpp), and keys that actord itself has
// (schema.hpp).
#pragma once

#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

struct SecretValues {
  std::vector<hocon::Value> declared;
  /// Nobody can tell: configs of behaviours that are not there, and members that a behaviour with
  /// secrets does not know.
  std::vector<hocon::Value> suspected;
};

/// Those that the configuration has.
SecretValues secret_values(const Settings& settings, const system::BehaviourRegistry& registry);

/// All values of the tree that are secret and hold no others.
std::vector<hocon::Value> secrets_in(const hocon::Tree& tree);

/// Takes out of the findings what stands at the place of one of these.
void drop_what_is_about(const std::vector<hocon::Value>& values, hocon::Diagnostics& findings);

}  // namespace actord::settings
