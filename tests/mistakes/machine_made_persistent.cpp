// SPDX-License-Identifier: Apache-2.0
//
// A state machine is made persistent by a second base.
// expects: a state machine has no second base that is an actor: one that persists is a
#include <actord/persistent.hpp>
#include <actord/state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::StateMachine<Shop, Desk>, public actord::Persistent<Shop, int> {
 public:
  Shop() : StateMachine(Desk::open) {}
  Next order(const Order&) { return go_to<Desk::closed>(); }
  void apply(int& n, const Order&) { ++n; }
  using Events = actord::Events<Order>;
  using Receive = When<Desk::open, &Shop::order>;
  using States = actord::States<When<Desk::closed>>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
