// SPDX-License-Identifier: Apache-2.0
//
// A step of a persistent state machine has an event of an earlier version, of which adapt() makes
// a newer one.
// expects: an event of an earlier version, which has an adapt(), is not persisted any more
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order& order) { return stay().persisting(Order{order}); }
  void apply(int& n, const Receipt& event) { n = event.number; }
  static Receipt adapt(const Order&) { return {}; }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Events = actord::Events<Order, Receipt>;
  using Receive = When<Desk::open, &Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
