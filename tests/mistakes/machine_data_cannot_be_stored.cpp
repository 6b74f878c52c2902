// SPDX-License-Identifier: Apache-2.0
//
// The data of a persistent state machine are a struct without ACTORD_FIELDS.
// expects: the data of a persistent state machine are stored in snapshots: a struct with
#include <actord/persistent_state_machine.hpp>

#include "shop_messages.hpp"

enum class Desk { closed, open };
ACTORD_ENUM(Desk, closed, open)

struct Orders {
  int n = 0;
};

class Shop : public actord::PersistentStateMachine<Shop, Desk, Orders> {
 public:
  Shop() : PersistentStateMachine(Desk::open) {}
  Next order(const Order&) { return go_to<Desk::closed>(); }
  static constexpr std::string_view stored_as = "shop.Shop/1";
  using Receive = When<Desk::open, &Shop::order>;
  using States = actord::States<When<Desk::closed>>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>,
              actord::Messages<Order, Receipt, Shop::Stored>)
