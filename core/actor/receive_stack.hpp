// SPDX-License-Identifier: Apache-2.0
//
// The states that an actor's behaviour has taken with become(). They belong to one incarnation.
// The current state is Cell::receive, for the hot path; here lie those below it.
#pragma once

#include <vector>

#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it. The functions are static, as most actors that change their
/// state keep none below it and need no extras for it.
class ReceiveStack {
 public:
  /// `keep_old`: unbecome() returns to the state of now. A table that the behaviour did not declare
  /// is ignored; the SDK refuses it when compiling.
  static void become(Turn& turn, const actord_receive* state, bool keep_old);
  static void unbecome(Turn& turn);
  /// Back to the behaviour's initial state, with none below it.
  static void reset(Turn& turn);

 private:
  std::vector<const ReceiveTable*> below_;
};

}  // namespace actord::actor
