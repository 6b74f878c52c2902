// SPDX-License-Identifier: Apache-2.0
//
// What nobody has read of a configuration with mistakes in it. A secret may be among it: under
// "confg" for config no plugin is asked which of the members are.
//
// Not here: the secrets of configs that were read (secret_values.hpp).
#pragma once

#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

/// Of `settings` that were read with errors: what lies under keys that nobody knows, configs of
/// actors without a behaviour that could be read, and lists and objects where the key takes none.
std::vector<hocon::Value> unread_values(const Settings& settings);

}  // namespace actord::settings
