// SPDX-License-Identifier: Apache-2.0
//
// A persistent state machine lists an event and has no apply() for it.
// expects: a persistent state machine has a public apply(Data&, const E&) for each E of Events<...>
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order& order) { return stay().persisting(Order{order}); }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Events = actord::Events<Order>;
  using Receive = When<Desk::open, &Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
