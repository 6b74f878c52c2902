// SPDX-License-Identifier: Apache-2.0
//
// What only some actors need, beside the cell: one block that holds the state of every organ. Made
// when the first of them is needed, owned by the cell's execution, gone when the actor is.
//
// A part reaches those below it through this block; the order stands in turn.hpp, and tests/tidy
// holds the sources to it.
#pragma once

#include "actor/actor_timers.hpp"
#include "actor/asks.hpp"
#include "actor/death_watch.hpp"
#include "actor/deferred_system_messages.hpp"
#include "actor/instance.hpp"
#include "actor/receive_stack.hpp"
#include "actor/recovery.hpp"
#include "actor/start_sequence.hpp"
#include "actor/stash.hpp"
#include "actor/termination.hpp"

namespace actord::actor {

struct CellExtras {
  DeathWatch death_watch;
  ActorTimers timers;
  Asks asks;
  ReceiveStack receive_stack;
  DeferredSystemMessages deferred;
  Stash stash;
  Instance instance;
  StartSequence start_sequence;
  Recovery recovery;
  Termination termination;
};

}  // namespace actord::actor
