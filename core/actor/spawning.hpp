// SPDX-License-Identifier: Apache-2.0
//
// How a child comes into the tree: from props to a cell with a name, what the operator says of its
// path, the parent's list and the directory of names. Called during a turn of the parent.
#pragma once

#include <string>
#include <string_view>

#include "actor/child_list.hpp"
#include "actor/spawn_request.hpp"

namespace actord::actor {

/// What a plugin asks for, with the behaviour looked up, to be handed on. Takes over the arguments,
/// in any case.
base::Result<PropsPtr> make_props(Environment& environment, const actord_props& wanted,
                                  const Behaviour& spawner);
/// The props of this actor alone, made so if it shares them. Called by the cell's own execution, or
/// by its parent's before it starts.
Props& own_props(Cell& cell);

/// Answers the child, scheduled. An empty name makes a numbered one. The arguments in `wanted` are
/// taken over in any case. Throws std::bad_alloc.
base::Result<Ref> spawn(Turn& parent, std::string_view name, const actord_props& wanted);
base::Result<Ref> spawn(Turn& parent, std::string_view name, PropsPtr props);
/// From another thread, as a system message: answers the request.
void spawn_requested(Turn& parent, SpawnRequest& request);

}  // namespace actord::actor
