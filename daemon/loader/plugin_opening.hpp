// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin into this process. A program that does nothing else with plugins, as actord-host,
// needs no other part of this room.
#pragma once

#include <actord/plugin.h>

#include <string>

#include "base/result.hpp"
#include "loader/plugin_image.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

/// Loads the plugin into this process, for ever, and returns its tables, which are checked. The
/// caller keeps the image until the process ends. The refusal has no file.
base::Result<const actord_plugin*, Refusal> open_plugin(const PluginImage& plugin);
/// The same for a copy of `file` that another process has made. `copy` is its path here, and stays
/// valid until the process ends.
base::Result<const actord_plugin*, Refusal> open_plugin_copy(const std::string& copy,
                                                             const std::string& file);

}  // namespace actord::loader
