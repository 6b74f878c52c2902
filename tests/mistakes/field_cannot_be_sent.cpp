// SPDX-License-Identifier: Apache-2.0
//
// A message with a field that cannot be sent.
// expects: a field is a bool, number, text, enum, duration, Ref, Bytes, a struct with ACTORD_FIELDS
#include <actord/actord.hpp>

struct Order {
  std::string sku;
  int* place = nullptr;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku, place)

class Shop : public actord::Actor {
 public:
  void order(const Order&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order>)
