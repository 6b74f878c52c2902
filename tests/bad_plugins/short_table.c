// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose table is shorter than version 1.0 of the interface has it.
#include <actord/plugin.h>

ACTORD_NOTE("short_table", "1.0.0")

static const actord_plugin plugin = {.struct_size = offsetof(actord_plugin, behaviours),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .name = ACTORD_STR("short_table"),
                                     .version = ACTORD_STR("1.0.0")};

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return &plugin; }
