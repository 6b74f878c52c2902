// SPDX-License-Identifier: Apache-2.0
//
// The host's side of the plugin boundary: the table of functions that plugins call.
//
// Not here: their contract (actord/plugin.h) and their implementation (actor/activation.hpp,
// system/actor_system.hpp).
#pragma once

#include <actord/plugin.h>

namespace actord::sdk {

/// Constant and valid for the life of the process.
const actord_host& host_table();

}  // namespace actord::sdk
