// SPDX-License-Identifier: Apache-2.0
//
// The daemon's own behaviours, through the same door as everybody's: guardians, the plain
// supervisor that a configured node without behaviour is, and /system/log.
#pragma once

#include <actord/actor.hpp>

namespace actord::system {

/// "actord": behaviours Root, Guardian, Supervisor, Log, and the built-in messages.
const actord_plugin& builtin_plugin();

}  // namespace actord::system
