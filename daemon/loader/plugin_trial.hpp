// SPDX-License-Identifier: Apache-2.0
//
// Whether a plugin's file can be loaded, found out in a process of its own. Its static initialisers
// run inside the dynamic linker: one that throws leaves the linker locked for good, and one that
// crashes, exits or never ends takes with it whoever loads the file. A start may fail by that; a
// daemon that runs must not.
//
// Not here: its static destructors, which run when a daemon has ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace actord::loader {

/// The word that makes actord the process of a trial: `actord --try-plugin FILE`. It is for actord
/// itself; --help does not tell of it.
inline constexpr std::string_view trial_word = "--try-plugin";

/// Why the file cannot be loaded; nothing if it can be. Any thread of actord, whichever others run.
std::optional<std::string> why_not_loadable(const std::string& file);

/// The process of the trial.
[[noreturn]] void try_plugin(const std::string& file);

}  // namespace actord::loader
