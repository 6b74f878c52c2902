// SPDX-License-Identifier: Apache-2.0
//
// A handler that takes a pointer to its message.
// expects: a handler is a public member function that takes (const M&), (Context&, const M&)
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const Order*) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
