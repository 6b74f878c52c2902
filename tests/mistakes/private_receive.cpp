// SPDX-License-Identifier: Apache-2.0
//
// Receive is private.
// expects: no `using Receive = actord::Handlers<...>` is public
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}

 private:
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
