// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose entry answers with nothing.
#include <actord/plugin.h>

ACTORD_NOTE("null_entry", "1.0.0")

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return NULL; }
