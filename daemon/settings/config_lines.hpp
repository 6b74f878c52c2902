// SPDX-License-Identifier: Apache-2.0
//
// Lines of the configuration on which an actor's config stands. What of it is secret only its
// plugin knows, so until that is loaded no message shows such a line.
#pragma once

#include "hocon/tree.hpp"

namespace actord::settings {

/// Takes the text of those lines out of the findings; place and message stay.
void hide_config_lines(hocon::Diagnostics& findings, const hocon::Tree& tree);
/// The same for the lines of one actor, an object that may have no config.
void hide_config_lines(hocon::Diagnostics& findings, const hocon::Value& actor);

}  // namespace actord::settings
