// SPDX-License-Identifier: Apache-2.0
//
// A shared library with an entry and without a note: it might be anything.
#include <actord/plugin.h>

static const actord_plugin plugin = {.struct_size = sizeof(actord_plugin),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .name = ACTORD_STR("no_note"),
                                     .version = ACTORD_STR("1.0.0")};

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return &plugin; }
