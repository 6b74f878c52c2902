// SPDX-License-Identifier: Apache-2.0
//
// The supervisor's half of a failure: ask the strategy, charge the restart budget, tell the
// children, log once. The decisions themselves are pure and stand in supervision.hpp.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor::supervisor {

/// The strategy that holds for this actor's children: the operator's for its path, else the one in
/// the code, else the default. Read at each failure, so that a strategy that was replaced meanwhile
/// holds from the next failure on (supervision.md 11).
const Strategy& strategy(const Turn& turn);

/// A child has failed: decides, and orders what was decided. A failure of a former child, or of no
/// child, is dropped (19).
void on_failed(Turn& turn, Ref child, FailurePtr failure);

}  // namespace actord::actor::supervisor
