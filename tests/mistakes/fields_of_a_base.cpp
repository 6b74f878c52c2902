// SPDX-License-Identifier: Apache-2.0
//
// A message that is more than its base, which alone has a list of fields.
// expects: the list of fields is that of a base: the struct needs one of its own
#include "shop_messages.hpp"

struct Express : Order {
  int hours = 0;
};
[[maybe_unused]] constexpr std::string_view actord_message_name(const Express*) {
  return "shop.Express/1";
}

class Shop : public actord::Actor {
 public:
  void order(const Express&) {}
  using Receive = actord::Handlers<&Shop::order>;
};

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<Shop>, actord::Messages<Express>)
