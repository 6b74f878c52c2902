// SPDX-License-Identifier: Apache-2.0
//
// A plugin that declares more failures than it has.
#include <actord/plugin.h>

ACTORD_NOTE("broken_failures", "1.0.0")

static const actord_plugin plugin = {.struct_size = sizeof(actord_plugin),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .abi_minor = ACTORD_ABI_MINOR,
                                     .name = ACTORD_STR("broken_failures"),
                                     .version = ACTORD_STR("1.0.0"),
                                     .failures = 0,
                                     .n_failures = 7};

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return &plugin; }
