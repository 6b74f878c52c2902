// SPDX-License-Identifier: Apache-2.0
//
// A persistent state machine replaces its data, which no recovery would know of.
// expects: the data of a persistent state machine change by events alone: stay().persisting(event)
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

class Shop : public actord::PersistentStateMachine<Shop, Desk, int> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order&) { return stay().using_data(data() + 1); }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Receive = When<Desk::open, &Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
