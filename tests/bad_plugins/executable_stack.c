// SPDX-License-Identifier: Apache-2.0
//
// A plugin that would make every stack of the process executable (see CMakeLists.txt).
#include <actord/plugin.h>

ACTORD_NOTE("executable_stack", "1.0.0")

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return NULL; }
