// SPDX-License-Identifier: Apache-2.0
//
// ACTORD_MESSAGE leaves out a field.
// expects: a field is missing from ACTORD_FIELDS or ACTORD_MESSAGE
#include <actord/actord.hpp>

struct Order {
  std::string sku;
  int number = 0;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku)

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order>)
