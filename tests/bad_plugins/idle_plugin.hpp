// SPDX-License-Identifier: Apache-2.0
//
// A plugin with an actor It that does nothing, for files that differ in another thing and are
// compiled many times: the SDK, which takes nearly all of that time, is compiled once.
#pragma once

#include <actord/plugin.h>

/// What ACTORD_PLUGIN would have in the table of a plugin with this name.
const actord_plugin* idle_plugin(const char* name);

#define IDLE_PLUGIN(name)    \
  ACTORD_NOTE(name, "1.0.0") \
  extern "C" ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return idle_plugin(name); }
