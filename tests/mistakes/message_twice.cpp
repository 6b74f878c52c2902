// SPDX-License-Identifier: Apache-2.0
//
// A message that stands in Messages<...> twice.
// expects: Messages<...> has two messages of one name
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt, Order>)
