// SPDX-License-Identifier: Apache-2.0
//
// A child is spawned with arguments that no constructor takes.
// expects: no constructor takes these arguments
#include "shop_messages.hpp"

class Clerk : public actord::Actor {
 public:
  explicit Clerk(actord::Ref) {}
  void order(const Order&) {}
  using Receive = actord::Handlers<&Clerk::order>;
};

class Shop : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order& order) { ctx.spawn<Clerk>("clerk", order.sku, 7); }
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
