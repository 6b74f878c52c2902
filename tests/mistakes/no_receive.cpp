// SPDX-License-Identifier: Apache-2.0
//
// A class without Receive.
// expects: no `using Receive = actord::Handlers<...>` is public
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
