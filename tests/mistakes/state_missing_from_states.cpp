// SPDX-License-Identifier: Apache-2.0
//
// A state that States does not list.
// expects: this state is missing from `using States = actord::States<...>`
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
  void order(actord::Context& ctx, const Order&) { ctx.become<Closed>(); }
  void refuse(const Order&) {}
  using Closed = actord::Handlers<&Shop::refuse>;
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
