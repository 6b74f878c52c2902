// SPDX-License-Identifier: Apache-2.0
//
// Whether a plugin's file can be loaded, found out in a process of its own. Its static initialisers
// run inside the dynamic linker: one that throws leaves the linker locked for good, and one that
// crashes, exits or never ends takes with it whoever loads the file. A start may fail by that, and
// names the plugin (plugin_code.hpp); a daemon that runs must not, and who only looks at a
// configuration wants to be told.
//
// Not here: its static destructors, which run when a daemon has ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace actord::loader {

/// Why the file cannot be loaded; nothing if it can be. Any thread, whichever others run, of a
/// program that begins with try_plugin_if_asked().
std::optional<std::string> why_not_loadable(const std::string& file);

/// First in main(): if these words are those of a trial, this process is that, and ends here. They
/// are for the program itself; --help does not tell of them.
void try_plugin_if_asked(int argc, const char* const* argv);

}  // namespace actord::loader
