// SPDX-License-Identifier: Apache-2.0
//
// A plugin in a file of another name.
#include <actord/plugin.h>

ACTORD_NOTE("right_name", "1.0.0")

static const actord_plugin plugin = {.struct_size = sizeof(actord_plugin),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .name = ACTORD_STR("right_name"),
                                     .version = ACTORD_STR("1.0.0")};

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return &plugin; }
