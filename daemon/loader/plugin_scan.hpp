// SPDX-License-Identifier: Apache-2.0
//
// Runs a plugin's code in a process of its own, which has given up its rights, to see whether the
// plugin can be loaded and what it declares.
//
// Static initialisers run inside the dynamic linker. An initialiser that throws leaves the linker
// locked for ever, and one that crashes, exits or never returns ends or blocks the loading process.
// A start may fail that way, and then names the plugin (plugin_code.hpp). A running daemon must go
// on; and what only looks at a configuration, maybe as root, must not run foreign code at all.
//
// Not here: the plugin's static destructors, which run when the daemon ends.
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "loader/plugin_description.hpp"
#include "loader/plugin_image.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

struct PluginScan {
  std::shared_ptr<const PluginDescription> description;
  std::vector<std::string> rights_left;  // what the system did not take away; one sentence each
};

/// Loads the plugin in a process of its own. The refusal has no file. `cancelled`: the process is
/// ended when this descriptor becomes readable. Threads: any, at any time. The main() of a program
/// must begin with run_plugin_scan_if_asked().
base::Result<PluginScan, Refusal> scan_plugin(const PluginImage& plugin, int cancelled = -1);

/// A config for the function validate() of one of the plugin's behaviours.
struct ConfigToValidate {
  std::string behaviour;  // the name without that of the plugin
  std::string config;     // in HOCON, secrets included; empty: there is none
};

/// A key of an object, or the position in a list.
struct ConfigStep {
  std::string key;
  std::size_t position = 0;
};

struct RejectedConfig {
  std::vector<ConfigStep> path;  // from the config to the value
  bool is_whole = false;         // no value of it is named
  std::string reason;
};

/// Validates in a process like that of scan_plugin(). One list for each config. Threads: as there.
base::Result<std::vector<std::vector<RejectedConfig>>, Refusal> validate_configs(
    const PluginImage& plugin, std::span<const ConfigToValidate> configs);

/// Called first in main(). If the arguments ask for a scan, performs it and ends the process. The
/// arguments are internal, so --help does not list them.
void run_plugin_scan_if_asked(int argc, const char* const* argv);

}  // namespace actord::loader
