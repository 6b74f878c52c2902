// SPDX-License-Identifier: Apache-2.0
//
// Warnings about settings that are valid but have no effect or an unexpected one. Only the
// resulting values are checked, so an overridden value causes no warning.
#pragma once

#include "settings/settings.hpp"

namespace actord::settings {

/// Checks a strategy after all of it was read. `written` may be absent or a word.
void warn_of_strategy(Findings& findings, const hocon::Value& written,
                      const actor::Strategy& strategy);

/// Whether a C++ type can have that name. warn_of_strategy() warns of a rule for another one.
bool is_possible_type_name(std::string_view name);

/// Checks all actors, and deployment rules that an actor's own node overrides.
void warn_of_actors(Findings& findings, const Settings& settings);

/// Checks actord.plugins.limits and actord.plugins.isolation after all names of plugins were read.
void warn_of_idle_plugins(Findings& findings, const Settings& settings);

}  // namespace actord::settings
