// SPDX-License-Identifier: Apache-2.0
//
// Where actord keeps what must survive it, and how a path in the configuration is meant.
#pragma once

#include <string>

#include "settings/findings.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// A path as it was meant: a relative one starts at the folder of the file it is written in, on the
/// command line at the working directory. No trailing slash. Nothing if it is wrong.
std::optional<std::string> read_path(Findings& findings, const hocon::Value& value,
                                     const Settings& settings, const ReadOptions& options);

/// Sets the state directory: `value`, else the first of $STATE_DIRECTORY, else
/// $XDG_STATE_HOME/actord, else $HOME/.local/state/actord.
void read_state_directory(Findings& findings, const hocon::Value& value, Settings& settings,
                          const ReadOptions& options);

}  // namespace actord::settings
