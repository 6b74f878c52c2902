// SPDX-License-Identifier: Apache-2.0
//
// A class that is no actor is spawned.
// expects: only a class that derives from actord::Actor, publicly, can be spawned
#include "shop_messages.hpp"

class Clerk {};

class Shop : public actord::Actor {
 public:
  void order(actord::Context& ctx, const Order&) { ctx.spawn<Clerk>("clerk"); }
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
