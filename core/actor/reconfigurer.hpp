// SPDX-License-Identifier: Apache-2.0
//
// What a running actor does when the operator has changed the configuration. Each actor takes the
// new snapshot over in its own turn, as an order from its parent, and passes it on to its
// children. Orders do not overtake each other, and a child that is spawned afterwards is built from
// the new snapshot.
//
// A strategy is swapped, and holds from the next failure on. A change of what the actor is built
// from needs a restart, unless it is about to be built anyway; its restart budget is not charged,
// because it did not fail. New children are started as at boot, children that are gone from the
// configuration are stopped, those that must be of another kind are stopped and then started. The
// others notice nothing.
//
// All of that is worked out before anything is done. Where there is no memory for it, the actor and
// all below it keep what they had, and the next snapshot finds them so.
#pragma once

#include "actor/reconfiguration.hpp"
#include "actor/turn.hpp"

namespace actord::actor::reconfigurer {

/// `node` is the actor's own in the new snapshot; null for an actor that code has made. An actor
/// that outlives the restart of its parent is restarted with it (supervision.md 33): that one
/// restart is enough.
void reconfigure(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                 bool is_restarted_with_parent);

}  // namespace actord::actor::reconfigurer
