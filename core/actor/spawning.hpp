// SPDX-License-Identifier: Apache-2.0
//
// Spawns a child: makes its cell from props, names it, applies the operator's configuration of its
// path, and enters it into the parent's list and the directory of names. Called during a turn of
// the parent.
#pragma once

#include <string>
#include <string_view>

#include "actor/child_list.hpp"
#include "actor/spawn_request.hpp"

namespace actord::actor {

/// The reason why a child was not created.
struct SpawnError : base::Error {
  /// the failure of the actor that wanted it
  std::span<const actord_str> types = causes::error;
};

/// Makes props from those of a plugin and looks their behaviour up. `spawner` is the behaviour
/// whose code asks. The props own the arguments; if an error is returned, the arguments are
/// destroyed.
base::Result<PropsPtr, SpawnError> make_props(Environment& environment, const actord_props& wanted,
                                              const Behaviour& spawner);
/// The actor's own props, which may be changed. If the actor shares its props, it gets a copy
/// first. Called in the actor's own turn, or in its parent's before the actor starts.
Props& own_props(Cell& cell);

/// Spawns a child, schedules it, and returns its ref. If `name` is empty, the child is named by its
/// number. The child owns the arguments in `wanted`; if an error is returned, they are destroyed.
/// Throws std::bad_alloc.
base::Result<Ref, SpawnError> spawn(Turn& parent, std::string_view name,
                                    const actord_props& wanted);
base::Result<Ref, SpawnError> spawn(Turn& parent, std::string_view name, PropsPtr props);
/// Spawns the child that a thread outside the tree requests, and answers the request.
void spawn_requested(Turn& parent, SpawnRequest& request);

}  // namespace actord::actor
