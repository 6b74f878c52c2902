// SPDX-License-Identifier: Apache-2.0
//
// The supervisor's part in a failure: asks the strategy, charges the restart limit, sends the
// decision to the children and logs it once. The decisions are pure functions in supervision.hpp.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor::supervisor {

/// The strategy that applies to this actor's children: the operator's for its path, else the one in
/// the code, else the default. It is looked up at each failure, so that a reloaded strategy applies
/// from the next failure on (supervision.md 11).
const Strategy& strategy(const Turn& turn);

/// A child has failed: decides and carries the decision out. The report of a failure is dropped if
/// `child` is no child of this actor, or no longer (19).
void on_failed(Turn& turn, Ref child, FailurePtr failure);

}  // namespace actord::actor::supervisor
