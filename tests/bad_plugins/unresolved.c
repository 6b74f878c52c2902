// SPDX-License-Identifier: Apache-2.0
//
// A plugin that needs a function which neither the daemon nor a library has.
#include <actord/plugin.h>

ACTORD_NOTE("unresolved", "1.0.0")

const actord_plugin* function_that_nobody_has(void);

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return function_that_nobody_has(); }
