// SPDX-License-Identifier: Apache-2.0
//
// A type without ACTORD_MESSAGE is told.
// expects: this type is no message: it has no ACTORD_MESSAGE
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order& order) { ctx.tell(ctx.sender(), order.sku); }
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
