// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "shop.hpp"

TEST_CASE("a clerk who refuses an order goes on with the next one") {
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref shop = system.spawn("shop", "shop/Shop", "most = 3");
  actord::testkit::Probe customer = system.probe("customer");
  CHECK(customer.ask<shop::Done>(shop, shop::Order{"tea", 2}).sold == 2);
  customer.send(shop, shop::Order{"tea", 4});
  system.expect_event("actor.failed", {{"actor.path", "/user/shop/clerk"}});
  CHECK(customer.ask<shop::Done>(shop, shop::Order{"tea", 1}).sold == 3);
}
