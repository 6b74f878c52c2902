// SPDX-License-Identifier: Apache-2.0
//
// Values of an invalid configuration that were not read. They may be secrets: if `config` is
// misspelt, no plugin's declaration says which members of it are secret.
//
// Not here: the secrets of configs that were read (secret_values.hpp).
#pragma once

#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

/// For `settings` that were read with errors: the values of unknown keys, configs of actors whose
/// behaviour could not be read, and lists and objects at keys that do not accept them.
std::vector<hocon::Value> unread_values(const Settings& settings);

}  // namespace actord::settings
