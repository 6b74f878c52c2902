// SPDX-License-Identifier: Apache-2.0
//
// Whether the table that a plugin's entry answers with can be used without falling over it.
//
// It finds mistakes of a build, not malice: the plugin's code is in the process by then.
#pragma once

#include <actord/plugin.h>

#include <string>

namespace actord::loader {

/// What is wrong with the table, as a sentence; empty if nothing is.
std::string table_fault(const actord_plugin* plugin);

}  // namespace actord::loader
