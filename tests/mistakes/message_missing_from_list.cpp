// SPDX-License-Identifier: Apache-2.0
//
// A handled message that Messages<...> does not list.
// expects: a handled message is missing from Messages<...>
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Receipt>)
