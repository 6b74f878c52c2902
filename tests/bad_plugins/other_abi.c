// SPDX-License-Identifier: Apache-2.0
//
// A plugin for an interface that this daemon does not speak. Its code must not run: it ends the
// process.
#include <actord/plugin.h>

#include <stdlib.h>

#define NOTE "name=other_abi;version=1.0.0;abi=99.0;cc=gcc-12;stdlib=none;san=" ACTORD_SANITIZER

static const struct {
  uint32_t owner_size, text_size, type;
  char owner[8], text[(sizeof(NOTE) + 3) & ~(size_t)3];
} note __attribute__((section(".note.actord"), used, aligned(4))) = {7, sizeof(NOTE), 1, "actord",
                                                                     NOTE};

__attribute__((constructor)) static void never(void) { abort(); }

ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { return NULL; }
