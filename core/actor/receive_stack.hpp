// SPDX-License-Identifier: Apache-2.0
//
// The states that an actor has entered with become(). They belong to one incarnation. The current
// state is Cell::receive, for the hot path; the states below it lie here.
#pragma once

#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it. The functions are static, because most actors that change
/// their state keep no former state and so need no extras.
class ReceiveStack {
 public:
  /// Enters `state`. If `keep_old`, unbecome() returns to the present state. A state that the
  /// behaviour did not declare is ignored; the SDK rejects it at compile time.
  static void become(Turn& turn, const actord_receive* state, bool keep_old);
  /// Returns to the state below the current one, or to the initial state if there is none.
  static void unbecome(Turn& turn);
  /// Returns to the behaviour's initial state and forgets the states below.
  static void reset(Turn& turn);

 private:
  std::vector<const ReceiveTable*> below_;  // the next one to return to is last
};

}  // namespace actord::actor
