// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin file in a process of its own to see whether that works. Static initialisers run
// inside the dynamic linker. An initialiser that throws leaves the linker locked for ever, and one
// that crashes, exits or never returns ends or blocks the loading process. A start may fail that
// way, and then names the plugin (plugin_code.hpp). A running daemon must go on, and a check must
// report the plugin.
//
// Not here: the plugin's static destructors, which run when the daemon ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace actord::loader {

/// Why the file cannot be loaded; nullopt: it can be. Threads: any, at any time. The program's
/// main() must begin with run_preload_check_if_asked().
std::optional<std::string> why_not_loadable(const std::string& file);

/// Called first in main(). If the arguments ask for a preload check, performs it and ends the
/// process. The arguments are internal, so --help does not list them.
void run_preload_check_if_asked(int argc, const char* const* argv);

}  // namespace actord::loader
