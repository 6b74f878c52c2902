// SPDX-License-Identifier: Apache-2.0
//
// The handler of an answer takes the message instead of a Reply.
// expects: the handler of an answer takes (const Reply<M>&) or (Context&, const Reply<M>&)
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order& order) {
    ctx.ask<&Shop::answered>(ctx.self(), order, std::chrono::seconds(1));
  }
  void answered(actord::Context&, const Receipt&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
