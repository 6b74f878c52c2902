// SPDX-License-Identifier: Apache-2.0
#include "shop.hpp"

namespace shop {

class Clerk : public actord::Actor {
 public:
  explicit Clerk(const Config& config) : most_(config.most) {}

  Done sell(actord::Context& ctx, const Order& order) {
    if (order.count > most_)
      throw SoldOut("too many", {{"sku", order.sku}, {"count", order.count}});
    sold_ += order.count;
    ctx.log(actord::Level::info, "sold", {{"sku", order.sku}});
    return {sold_};
  }
  using Receive = actord::Handlers<&Clerk::sell>;

 private:
  const std::int32_t most_;
  int sold_ = 0;
};

class Shop : public actord::Actor {
 public:
  using Config = shop::Config;

  static actord::Strategy supervision() {
    return actord::one_for_one()
        .on<SoldOut>(actord::Directive::resume)
        .otherwise(actord::Directive::restart);
  }

  Shop(actord::Context& ctx, const Config& config) : clerk_(ctx.spawn<Clerk>("clerk", config)) {}

  void order(actord::Context& ctx, const Order&) { ctx.forward(clerk_); }
  using Receive = actord::Handlers<&Shop::order>;

 private:
  actord::Ref clerk_;
};

}  // namespace shop

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<shop::Shop>,
              actord::Messages<shop::Order, shop::Done>, actord::Failures<shop::SoldOut>)
