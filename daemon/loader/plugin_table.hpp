// SPDX-License-Identifier: Apache-2.0
//
// Checks that the table returned by a plugin's entry function can be used safely.
//
// The check finds build errors. It is no protection against malice, because the plugin's code is
// already in the process.
#pragma once

#include <actord/plugin.h>

#include <string>

namespace actord::loader {

/// What is wrong with the table, as a sentence; empty: nothing.
std::string table_fault(const actord_plugin* plugin);

}  // namespace actord::loader
