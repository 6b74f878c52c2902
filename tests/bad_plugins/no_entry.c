// SPDX-License-Identifier: Apache-2.0
//
// A plugin with a note and without an entry.
#include <actord/plugin.h>

ACTORD_NOTE("no_entry", "1.0.0")
