// SPDX-License-Identifier: Apache-2.0
//
// The daemon's own behaviours, written against the public plugin interface: the guardians, the
// plain supervisor (a configured node without a behaviour) and /system/log.
#pragma once

#include <actord/actor.hpp>

namespace actord::system {

/// The plugin "actord": behaviours Root, Guardian, SystemGuardian, Supervisor and Log, and the
/// built-in messages.
const actord_plugin& builtin_plugin();

}  // namespace actord::system
