// SPDX-License-Identifier: Apache-2.0
//
// What a running actor does when the operator has changed the configuration. The parent sends the
// new snapshot to each child as a system message. The child takes the snapshot over in its own turn
// and passes it on to its own children. System messages do not overtake each other, and a child
// that is spawned afterwards is built from the new snapshot, so that no actor is left out.
//
// A new strategy holds from the next failure on. If the content that the actor is built from has
// changed, the actor is restarted, unless an instance is about to be built anyway. The restart does
// not count against the restart limit, because the actor did not fail.
//
// A configured child that is new is started as at boot. A child that is no longer configured is
// stopped. A child whose behaviour, dispatcher or mailbox has changed is stopped, and a new one is
// started. An actor that starts its configured children itself is restarted instead. All other
// children keep running.
//
// The actor first works all of that out and then carries it out. If memory is short, the actor and
// all its descendants keep their former configuration, and the next reload compares with that.
#pragma once

#include "actor/reconfiguration.hpp"
#include "actor/turn.hpp"

namespace actord::actor::reconfigurer {

/// Takes the snapshot of `request` over. `node` is the actor's own node in that snapshot; null for
/// an actor that code has spawned. `is_restarted_with_parent`: the actor survives a restart of its
/// parent and is restarted after it (supervision.md 33), so that it needs no restart of its own.
void reconfigure(Turn& turn, Reconfiguration& request, const NodeSpec* node,
                 bool is_restarted_with_parent);

}  // namespace actord::actor::reconfigurer
