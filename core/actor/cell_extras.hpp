// SPDX-License-Identifier: Apache-2.0
//
// The state that only some actors need: one block beside the cell, with the state of every part. It
// is created when the first part is needed, is used by the actor's turns only, and is freed when
// the actor ends.
//
// A part reaches the lower parts through this block. turn.hpp lists the order, and tests/tidy
// checks it.
#pragma once

#include "actor/actor_timers.hpp"
#include "actor/asks.hpp"
#include "actor/death_watch.hpp"
#include "actor/deferred_system_messages.hpp"
#include "actor/instance.hpp"
#include "actor/mailbox_order.hpp"
#include "actor/mailbox_room.hpp"
#include "actor/persistence.hpp"
#include "actor/receive_stack.hpp"
#include "actor/recovery.hpp"
#include "actor/redelivery.hpp"
#include "actor/start_sequence.hpp"
#include "actor/stash.hpp"
#include "actor/termination.hpp"

namespace actord::actor {

struct CellExtras {
  const FailurePtr* children_stop_for = nullptr;  // see ChildrenStopFor
  std::uint64_t traced_messages_left = 0;         // that are logged, by an operator's order
  DeathWatch death_watch;
  ActorTimers timers;
  Asks asks;
  ReceiveStack receive_stack;
  DeferredSystemMessages deferred;
  MailboxRoom room;
  std::unique_ptr<MailboxOrder> order;     // null: messages are taken as they came
  std::unique_ptr<Redelivery> redelivery;  // null: no message is given again
  Stash stash;
  std::unique_ptr<Persistence> persistence;  // null: the actor is not persistent
  Instance instance;
  StartSequence start_sequence;
  Recovery recovery;
  StormCount group_storm;  // of the children under all-for-one
  Termination termination;
};

/// As long as it exists, the children that the actor stops are stopped for `failure`, also those
/// that its hooks stop. A reload is no failure. `failure` outlives the object.
class ChildrenStopFor {
 public:
  ChildrenStopFor(CellExtras& extras, const FailurePtr& failure) : extras_(extras) {
    if (failure->id != 0) extras_.children_stop_for = &failure;
  }
  ~ChildrenStopFor() { extras_.children_stop_for = nullptr; }
  ChildrenStopFor(const ChildrenStopFor&) = delete;
  ChildrenStopFor& operator=(const ChildrenStopFor&) = delete;

 private:
  CellExtras& extras_;
};

}  // namespace actord::actor
