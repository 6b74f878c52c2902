// SPDX-License-Identifier: Apache-2.0
//
// A handler that takes a pointer to its message.
// expects: a handler is a public member function that takes (const M&), (Context&, const M&)
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
  void order(const Order*) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
