// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "guide.hpp"

using namespace std::chrono_literals;

TEST_CASE("a clerk who refuses an order goes on with the next one") {
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());  // the plugin is linked into the test
  const actord::Ref shop = system.spawn("shop", "shop/Shop", "stock = /dev/null");
  actord::testkit::Probe customer = system.probe("customer");  // an actor of the test

  customer.send(shop, shop::Order{"tea", 6});
  system.expect_event("actor.failed", {{"actor.path", "/user/shop/clerk"}});
  customer.send(shop, shop::Order{"tea", 2});
  CHECK(customer.expect<shop::Done>().by == system.find("/user/shop/clerk"));
  CHECK(customer.ask<shop::Price>(shop, shop::GetPrice{"tea"}).cents == 250);
}

TEST_CASE("a clerk who has no memory is restarted") {
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref shop = system.spawn("shop", "shop/Shop", "stock = /dev/null");
  actord::testkit::Probe customer = system.probe("customer");

  system.fail<std::bad_alloc>({.path = "/user/shop/clerk"});  // at its next message
  customer.send(shop, shop::Order{"tea", 2});
  customer.expect_none(5s);  // virtual time: takes no real time
  system.expect_event("actor.restarted", {{"actor.path", "/user/shop/clerk"}});
}

namespace {

/// A system with the plugin, and a probe in it.
struct World {
  actord::testkit::TestSystem system;
  actord::testkit::Probe probe = [this] {
    system.use(actord_plugin_v1());
    return system.probe("probe");
  }();
};

}  // namespace

TEST_CASE("a customer asks for the price and orders") {
  World world;
  world.system.spawn("shop", "shop/Shop", "stock = /dev/null");
  const actord::Ref customer = world.system.spawn("customer", "shop/Customer");
  world.probe.send(customer, shop::Order{"tea", 3});
  world.system.advance(1s);
  CHECK(world.probe.ask<shop::Done>(customer, shop::Closed{}).sold == 3);
}

TEST_CASE("a customer without a shop says so") {
  World world;
  const actord::Ref customer = world.system.spawn("customer", "shop/Customer");
  world.probe.send(customer, shop::Order{"tea", 3});
  world.system.advance(3s);
  world.system.expect_event("shop.unpriced", {{"actor.path", "/user/customer"}});
}

TEST_CASE("an answer may come later") {
  World world;
  const actord::Ref counter = world.system.spawn("counter", "shop/Counter");
  world.probe.send(counter, shop::Order{"tea", 1});
  world.probe.expect_none(1s);
  world.probe.send(counter, shop::Price{5});
  CHECK(world.probe.expect<shop::Done>().by == counter);
}

TEST_CASE("while the clerk behind a back-off supervisor is down the street says closed") {
  World world;
  const actord::Ref street = world.system.spawn("street", "shop/Street");
  world.probe.send(street, shop::Order{"tea", 6});
  world.probe.send(street, shop::Order{"tea", 1});
  CHECK(world.probe.expect<shop::Closed>().until == "in a moment");
  world.system.advance(4s);
  world.probe.send(street, shop::Order{"tea", 1});
  CHECK(world.probe.expect<shop::Done>().sold == 1);
}

TEST_CASE("a file is read on another thread, and who asked gets the answer or the failure") {
  World world;
  std::ofstream("price.txt") << 250;
  const actord::Ref list = world.system.spawn("list", "shop/PriceList", "stock = price.txt");
  CHECK(world.probe.ask<shop::Price>(list, shop::GetPrice{"tea"}).cents == 250);
  const actord::Ref none = world.system.spawn("none", "shop/PriceList", "stock = /no/such/file");
  CHECK_THROWS_WITH(world.probe.ask<shop::Price>(none, shop::GetPrice{"tea"}),
                    doctest::Contains("cannot read /no/such/file"));
}

TEST_CASE("a door opens by its code for five seconds, and by an alarm for good") {
  World world;
  const actord::Ref door = world.system.spawn("door", "shop/Door");
  const auto press = [&](std::string_view keys) {
    for (const char key : keys) world.probe.send(door, shop::Key{std::string{key}});
  };
  press("33113322");
  world.probe.expect<shop::Opened>();
  world.system.expect_event("shop.door", {{"was_open", "false"}, {"is_open", "true"}});
  world.system.advance(5s);
  world.system.expect_event("shop.door", {{"was_open", "true"}, {"is_open", "false"}});
  world.probe.send(door, shop::Alarm{});
  world.system.advance(1h);
  press("3322");
  world.probe.expect_none(1s);
}

TEST_CASE("a desk serves one customer at a time") {
  World world;
  const actord::Ref hall = world.system.spawn("hall", "shop/Hall");
  world.probe.send(hall, shop::Order{"tea", 1});
  world.probe.expect_none(1s);
  world.probe.send(hall, shop::Order{"tea", 1});
  CHECK(world.probe.expect<shop::Closed>().until == "in a moment");
  world.probe.send(hall, shop::Done{1, {}});
  CHECK(world.probe.expect<shop::Done>().sold == 1);
}

TEST_CASE("the till is counted every ten seconds, and closes after a minute without sales") {
  World world;
  const actord::Ref till = world.system.spawn("till", "shop/Till");
  world.probe.send(till, shop::Done{4, {}});
  world.system.advance(11s);
  world.system.expect_event("shop.counted", {{"sold", "4"}});
}

TEST_CASE("a buyer waits for tokens, tries again, and is refused while the shop is down") {
  World world;
  const actord::Ref shop = world.system.spawn("shop", "shop/Shop", "stock = /dev/null");
  const actord::Ref buyer = world.system.spawn(
      "buyer", "shop/Buyer", "breaker.max-failures = 1, limit { tokens = 1, burst = 1 }");
  const auto bought = [&] { return world.probe.ask<shop::Done>(buyer, shop::Closed{}).sold; };
  CHECK(world.probe.ask<shop::Price>(buyer, shop::GetPrice{"tea"}).cents == 250);
  world.probe.send(buyer, shop::Order{"tea", 2});
  world.probe.send(buyer, shop::Order{"tea", 3});
  CHECK(bought() == 2);
  world.system.advance(1s);
  CHECK(bought() == 5);

  world.system.stop(shop);
  for (int i = 0; i < 3; ++i) {
    world.system.advance(1s);
    world.probe.send(buyer, shop::Order{"tea", 1});
  }
  world.system.expect_event("circuit-breaker.changed", {{"breaker.state", "open"}});
  CHECK(bought() == 5 - 2);
}

TEST_CASE("couriers share what they know of a wholesaler who is down") {
  World world;
  const actord::Ref one = world.system.spawn("one", "shop/Courier");
  const actord::Ref two = world.system.spawn("two", "shop/Courier");
  for (int i = 0; i < 4; ++i) world.probe.send(i % 2 == 0 ? one : two, shop::Order{"tea", 1});
  world.system.expect_no_event("breaker.changed");
  world.probe.send(one, shop::Order{"tea", 1});
  world.system.expect_event("breaker.changed",
                            {{"breaker.name", "wholesaler"}, {"breaker.state", "open"}});
}

TEST_CASE("an office shares its orders out among its desks") {
  World world;
  const actord::Ref office = world.system.spawn("office", "shop/Office");
  const auto orders = [&] {
    return world.probe.ask<shop::Done>(office, shop::Order{"tea", 1}).sold;
  };
  for (int i = 0; i < 4; ++i) CHECK(orders() == 1);
  CHECK(orders() == 2);
  world.probe.send(office, shop::Closed{});
  CHECK(orders() == 1);
}

TEST_CASE("the config of a breaker is checked where it stands") {
  World world;
  const auto refusal = [&](std::string_view config) {
    try {
      world.system.spawn("buyer", "shop/Buyer", config);
    } catch (const actord::Error& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  const std::string order = refusal("breaker {\n reset-timeout = 2h\n max-reset-timeout = 1h }");
  CHECK_MESSAGE(order.find("conf:3:") != order.npos, order);
  CHECK(order.find("must not be shorter than reset-timeout") != order.npos);
  const std::string range = refusal("limit.tokens = 0");
  CHECK_MESSAGE(range.find("at least 1") != range.npos, range);
}

TEST_CASE("a port finishes its orders before the actors are stopped") {
  for (const bool is_served : {true, false}) {
    World world;
    const actord::Ref port = world.system.spawn("port", "shop/Port");
    world.probe.send(port, shop::Order{"tea", 1});
    if (is_served) world.probe.send(port, shop::Done{});
    CHECK(world.system.shut_down());  // runs the phases, as SIGTERM does
    CHECK(world.system.events("shutdown.phase").size() == 2);
    const auto failed = world.system.events("shutdown.task-failed");
    CHECK(failed.size() == (is_served ? 0 : 1));  // an open order is waited for 5 s
  }
}
