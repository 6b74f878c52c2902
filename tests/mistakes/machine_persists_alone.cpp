// SPDX-License-Identifier: Apache-2.0
//
// A persistent state machine persists an event beside the step that its handler returns.
// expects: a state machine stores an event with the step that it makes: stay().persisting(event)
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(actord::Context& ctx, const Order& order) {
    persist(ctx, Order{order});
    return stay();
  }
  void apply(int& n, const Order&) { ++n; }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Events = actord::Events<Order>;
  using Receive = When<Desk::open, &Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
