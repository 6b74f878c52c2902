// SPDX-License-Identifier: Apache-2.0
//
// The daemon's own behaviours, written against the public plugin interface: the guardians, the
// plain supervisor (a configured node without a behaviour), /system/log, and the actor that asks
// for those outside the tree.
#pragma once

#include <actord/actor.hpp>

namespace actord::system {

/// The plugin "actord": behaviours Root, Guardian, SystemGuardian, Supervisor, Log and Inquirer,
/// and the built-in messages.
const actord_plugin& builtin_plugin();

}  // namespace actord::system
