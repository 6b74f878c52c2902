// SPDX-License-Identifier: Apache-2.0
//
// A state that States does not list.
// expects: this state is missing from `using States = actord::States<...>`
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order&) { ctx.become<Closed>(); }
  void refuse(const Order&) {}
  using Closed = actord::Handlers<&Shop::refuse>;
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
