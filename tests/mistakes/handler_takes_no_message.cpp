// SPDX-License-Identifier: Apache-2.0
//
// A handler of a type without ACTORD_MESSAGE.
// expects: a handler takes a type without ACTORD_MESSAGE
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const std::string&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
