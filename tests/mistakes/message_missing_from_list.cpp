// SPDX-License-Identifier: Apache-2.0
//
// A handled message that Messages<...> does not list.
// expects: a handled message is missing from Messages<...>
#include <actord/actord.hpp>

struct Order {
  std::string sku;
};
struct Receipt {
  int number = 0;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku)
ACTORD_MESSAGE(Receipt, "shop.Receipt/1", number)

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Receipt>)
