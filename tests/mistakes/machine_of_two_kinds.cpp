// SPDX-License-Identifier: Apache-2.0
//
// A state machine is to deliver messages at least once, by a second base.
// expects: a state machine has no second base that is an actor: one that persists is a
#include <actord/at_least_once.hpp>
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk>,
             public actord::AtLeastOnce<Shop, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order&) { return go_to<Desk::closed>(); }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Events = actord::Events<>;
  using Receive = When<Desk::open, &Shop::order>;
  using States = actord::States<When<Desk::closed>>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
