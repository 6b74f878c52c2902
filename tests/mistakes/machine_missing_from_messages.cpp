// SPDX-License-Identifier: Apache-2.0
//
// What a persistent state machine stores is not listed.
// expects: the state of a persistent actor is missing from Messages<...>
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order&) { return go_to<Desk::closed>(); }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Receive = When<Desk::open, &Shop::order>;
  using States = actord::States<When<Desk::closed>>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
