// SPDX-License-Identifier: Apache-2.0
//
// The state directory of actord, and how paths in the configuration are resolved.
#pragma once

#include <string>

#include "settings/findings.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// The absolute path for `value`, without a trailing slash. A relative path starts at the directory
/// of the file in which it is written, or at the working directory for the command line. An invalid
/// path adds a finding and returns nullopt.
std::optional<std::string> read_path(Findings& findings, const hocon::Value& value,
                                     const Settings& settings, const ReadOptions& options);

/// Sets the state directory: `value`, else the first directory of $STATE_DIRECTORY, else
/// $XDG_STATE_HOME/actord, else $HOME/.local/state/actord.
void read_state_directory(Findings& findings, const hocon::Value& value, Settings& settings,
                          const ReadOptions& options);

}  // namespace actord::settings
