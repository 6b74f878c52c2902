// SPDX-License-Identifier: Apache-2.0
//
// A class in Behaviours whose constructor takes arguments.
// expects: a class in Behaviours<...> is constructed from a config
#include "shop_messages.hpp"

class Shop : public actord::Actor {
 public:
  explicit Shop(int shelves) : shelves_(shelves) {}
  void order(const Order&) { ++shelves_; }
  using Receive = actord::Handlers<&Shop::order>;

 private:
  int shelves_;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Order, Receipt>)
