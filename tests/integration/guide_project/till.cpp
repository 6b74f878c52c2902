// SPDX-License-Identifier: Apache-2.0
#include <actord/actord.hpp>

#include "shop_prices.hpp"

namespace till {

struct GetPrice {
  std::string sku;
};
ACTORD_MESSAGE(GetPrice, "shop.GetPrice/1", sku)

struct Price {
  int cents = 0;
};
ACTORD_MESSAGE(Price, "shop.Price/1", cents)

class Cashier : public actord::Actor {
 public:
  Price pay(actord::Context& ctx, const GetPrice& what) {
    const auto* const prices = ctx.system().extension<shop_prices>("shop.prices/1");
    if (prices == nullptr) throw actord::Error("the plugin shop is not loaded");
    return {prices->price_of(what.sku.c_str())};
  }
  using Receive = actord::Handlers<&Cashier::pay>;
};

}  // namespace till

ACTORD_PLUGIN("till", "1.0.0", actord::Behaviours<till::Cashier>,
              actord::Messages<till::GetPrice, till::Price>)
