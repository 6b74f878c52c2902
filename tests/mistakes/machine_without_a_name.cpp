// SPDX-License-Identifier: Apache-2.0
//
// A persistent state machine does not say under which name its state is stored.
// expects: a persistent state machine names what it stores: static constexpr
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order&) { return go_to<Desk::closed>(); }
  using Receive = When<Desk::open, &Shop::order>;
  using States = actord::States<When<Desk::closed>>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
