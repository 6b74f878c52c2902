// SPDX-License-Identifier: Apache-2.0
//
// The host's half of the plugin boundary: the table of functions that plugins call.
//
// Not here: what the functions mean (actord/plugin.h) and do (actor/activation.hpp,
// system/actor_system.hpp).
#pragma once

#include <actord/plugin.h>

namespace actord::sdk {

/// Constant for the life of the process.
const actord_host& host_table();

}  // namespace actord::sdk
