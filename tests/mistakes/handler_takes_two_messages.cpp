// SPDX-License-Identifier: Apache-2.0
//
// A handler with one parameter too many.
// expects: a handler is a public member function that takes (const M&), (Context&, const M&)
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(actord::Context&, const Order&, int) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
