// SPDX-License-Identifier: Apache-2.0
//
// A step of a persistent state machine has an event that Events<...> does not list.
// expects: a persistent actor lists each type of its events in Events<...>
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order& order) { return stay().persisting(Order{order}); }
  void apply(int& n, const Order&) { ++n; }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Receive = When<Desk::open, &Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
