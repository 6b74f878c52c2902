// SPDX-License-Identifier: Apache-2.0
//
// The lines of the configuration that contain an actor's config. Only the plugin knows which
// values in it are secret, so findings must not show such a line until the plugin is loaded.
#pragma once

#include "hocon/tree.hpp"

namespace actord::settings {

/// Removes the text of those lines from the findings. Place and message stay.
void hide_config_lines(hocon::Diagnostics& findings, const hocon::Tree& tree);
/// The same for one actor, an object that may have no config.
void hide_config_lines(hocon::Diagnostics& findings, const hocon::Value& actor);

}  // namespace actord::settings
