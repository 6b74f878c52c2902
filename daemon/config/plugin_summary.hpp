// SPDX-License-Identifier: Apache-2.0
//
// What a plugin has, for people and programs that ask for it.
#pragma once

#include <actord/plugin.h>

#include "wire/control_message.hpp"

namespace actord::config {

/// {"name","version","doc","interface","behaviours","messages","failures","strategies"}. A
/// behaviour is {"name","doc","handles","config"}, a key of its config
/// {"key","type","doc","default"}; a message {"type","members"}, a member {"name","type"}; failures
/// and strategies are names. Messages of actord itself are left out. `declared` has passed
/// loader::table_fault().
wire::Json plugin_summary(const actord_plugin& declared);

}  // namespace actord::config
