// SPDX-License-Identifier: Apache-2.0
//
// A persistent actor persists an event that its Events<...> does not list: no recovery would
// succeed.
// expects: a persistent actor lists each type of its events in Events<...>
#include <actord/persistent.hpp>

#include "shop_messages.hpp"

struct Orders {
  int n = 0;
};

class Shop : public actord::Persistent<Shop, Orders> {
 public:
  void order(actord::Context& ctx, const Order& order) { persist(ctx, Order{order}); }
  void apply(Orders& orders, const Order&) { ++orders.n; }
  void apply(Orders&, const Receipt&) {}
  using Events = actord::Events<Receipt>;
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
