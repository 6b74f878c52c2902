// SPDX-License-Identifier: Apache-2.0
//
// What the configuration has instead of the code that spawns an actor.
#pragma once

#include <actord/plugin.h>

#include <memory>

namespace actord::pattern {

/// How an actor is constructed from arguments instead of from its config.
struct Construction {
  actord_status (*create)(void* self, actord_context*, actord_value config, const void* args,
                          actord_errors*);
  std::shared_ptr<const void> args;
};

/// The behaviours of this room. Add them to a system before any plugin.
const actord_plugin& plugin();

}  // namespace actord::pattern
