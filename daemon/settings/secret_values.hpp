// SPDX-License-Identifier: Apache-2.0
//
// Secrets that plugins declare: config members that are secret by the declaration of their
// behaviour.
//
// Not here: fetching and hiding them (hocon/kept_secrets.hpp), and secret keys of actord itself
// (schema/schema.hpp).
#pragma once

#include <vector>

#include "settings/settings.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::settings {

struct SecretValues {
  std::vector<hocon::Value> declared;
  /// Values that may be secret: configs of behaviours that are not loaded, and undeclared members
  /// of a config with secrets.
  std::vector<hocon::Value> suspected;
};

/// The declared and suspected secrets of a configuration.
SecretValues secret_values(const Settings& settings, const system::BehaviourRegistry& registry);

/// All secret values of the tree that contain no others.
std::vector<hocon::Value> secrets_in(const hocon::Tree& tree);

/// Removes the findings at the position of one of `values`.
void drop_findings_at(const std::vector<hocon::Value>& values, hocon::Diagnostics& findings);

}  // namespace actord::settings
