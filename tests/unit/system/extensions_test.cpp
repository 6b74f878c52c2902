// SPDX-License-Identifier: Apache-2.0
//
// The tables that plugins publish for each other: by themselves, and with two plugins in a system.
#include "system/extensions.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "testkit/world.hpp"

// What the header of an extension has: a struct of C, which both plugins include.
extern "C" {
struct shop_prices {
  std::uint32_t struct_size;
  std::int64_t (*price_of)(std::int64_t article);
};
struct shop_prices_2 {  // a later version of the header, with a member more
  std::uint32_t struct_size;
  std::int64_t (*price_of)(std::int64_t article);
  std::int64_t (*rebate)(std::int64_t article);
};
}

namespace actord::system {

TEST_SUITE_BEGIN("system/extensions");

namespace {

const shop_prices prices{sizeof(shop_prices), [](std::int64_t article) { return 10 * article; }};

struct Ask {
  std::int64_t article = 0;
};
ACTORD_MESSAGE(Ask, "till.Ask/1", article)

/// The user: looks the table up when it is asked.
class Till : public Actor {
 public:
  void ask(Context& ctx, const Ask& ask) {
    const auto* const table = ctx.system().extension<shop_prices>("shop.prices/1");
    ctx.log(Level::info, "looked",
            {{"price", table != nullptr ? table->price_of(ask.article) : -1}});
  }
  using Receive = Handlers<&Till::ask>;
};

struct Shop {
  static void attach(System system) {
    system.publish("shop.prices/1", prices);
    found_itself = system.extension("shop.prices/1") != nullptr;
  }
  static inline bool found_itself = false;
};
struct Refusing {
  static void attach(System system) {
    system.publish("refusing.prices/1", prices);
    throw Error("no license");
  }
};
struct EarlyUser {
  static void attach(System system) {
    found = system.extension<shop_prices>("shop.prices/1") != nullptr;
  }
  static inline bool found = false;
};

std::string error_of(const base::Result<void>& result) {
  return result ? std::string{} : result.error().what;
}

/// Publishes as the plugin's attach() would.
std::string publish(Extensions& extensions, std::string_view plugin, std::string_view id) {
  extensions.begin_attach(plugin);
  const auto published = extensions.publish(id, &prices);
  extensions.end_attach(true);
  return error_of(published);
}

}  // namespace

TEST_CASE("an extension is found once the attach that publishes it has succeeded") {
  Extensions extensions;
  extensions.begin_attach("shop");
  REQUIRE(extensions.publish("shop.prices/1", &prices));
  CHECK(extensions.find("shop.prices/1", "till") == nullptr);
  CHECK(extensions.all().empty());
  extensions.end_attach(true);
  CHECK(extensions.find("shop.prices/1", "till") == &prices);
  CHECK(extensions.find("shop.prices/2", "till") == nullptr);
}

TEST_CASE("what a plugin that refuses to start has published is forgotten") {
  Extensions extensions;
  extensions.begin_attach("shop");
  REQUIRE(extensions.publish("shop.prices/1", &prices));
  extensions.end_attach(false);
  CHECK(extensions.find("shop.prices/1", "till") == nullptr);
  CHECK(publish(extensions, "shop", "shop.prices/1").empty());
}

TEST_CASE("an id names its plugin, a table and a version") {
  Extensions extensions;
  for (const char* const id : {"prices/1", "shop.prices", "shop.prices/", "shop.prices/one",
                               "shop./1", "shop/1", "shopping.prices/1", "actord.prices/1", ""}) {
    CAPTURE(id);
    CHECK(publish(extensions, "shop", id) ==
          "the id \"" + std::string{id} +
              "\" is no extension of shop: it has to be like \"shop.prices/1\", the plugin, a name "
              "and a version");
  }
  CHECK(publish(extensions, "shop", "shop.prices/10").empty());
}

TEST_CASE("the second table under one id is refused, and the error names the publisher") {
  Extensions extensions;
  REQUIRE(publish(extensions, "shop", "shop.prices/1").empty());
  CHECK(publish(extensions, "shop", "shop.prices/1") ==
        "extension shop.prices/1 is published by the plugin shop already");
}

TEST_CASE("only an attach publishes, and only on its own thread") {
  Extensions extensions;
  const std::string refusal =
      "extension shop.prices/1: a plugin can publish one only in its "
      "attach()";
  CHECK(error_of(extensions.publish("shop.prices/1", &prices)) == refusal);
  extensions.begin_attach("shop");
  std::string elsewhere;
  std::thread([&] { elsewhere = error_of(extensions.publish("shop.prices/1", &prices)); }).join();
  CHECK(elsewhere == refusal);
  CHECK(error_of(extensions.publish("shop.prices/1", nullptr)) ==
        "extension shop.prices/1 has no table");
  extensions.end_attach(true);
}

TEST_CASE("a list says which plugins use which table, until one is retired") {
  Extensions extensions;
  REQUIRE(publish(extensions, "shop", "shop.prices/1").empty());
  extensions.find("shop.prices/1", "till");
  extensions.find("shop.prices/1", "till");
  extensions.find("shop.prices/1", "");
  extensions.begin_attach("clerk");
  extensions.find("shop.prices/1", "");
  extensions.end_attach(true);
  REQUIRE(extensions.all().size() == 1);
  const Extension listed = extensions.all().front();
  CHECK(listed.id == "shop.prices/1");
  CHECK(listed.publisher == "shop");
  CHECK(listed.users == std::vector<std::string>{"till", "", "clerk"});

  extensions.forget("till");
  CHECK(extensions.all().front().users == std::vector<std::string>{"", "clerk"});
  extensions.forget("shop");
  CHECK(extensions.all().empty());
  CHECK(extensions.find("shop.prices/1", "clerk") == nullptr);
}

TEST_CASE("an actor of one plugin calls a function of another one") {
  testkit::World world;
  world.use(*plugin_table<Behaviours<Till>, Messages<Ask>, Module<EarlyUser>>("till", "1"));
  world.use(*plugin_table<Module<Shop>>("shop", "1"));
  world.start();
  CHECK_FALSE(EarlyUser::found);  // it was attached before the plugin that publishes
  CHECK_FALSE(Shop::found_itself);
  const actor::Ref till = world.spawn_props(
      "till", actor::PropsPtr(&(*world.system().behaviour("till/Till"))->shared_props()));
  world.send(till, Ask{7});
  CHECK(world.events("").front().field("price") == "70");
  CHECK(world.system().extensions().all().size() == 1);
}

TEST_CASE("a table that is shorter than the header of its user is refused") {
  testkit::World world;
  world.use(*plugin_table<Module<Shop>>("shop", "1"));
  const System system(sdk::host_table(), world.system().handle);
  CHECK(system.extension<shop_prices>("shop.prices/1") == &prices);
  CHECK_THROWS_WITH_AS(system.extension<shop_prices_2>("shop.prices/1"),
                       "the plugin that publishes shop.prices/1 was built with an older header "
                       "than this one: build it again",
                       Error);
  CHECK(system.extension("shop.prices/1") == &prices);
  CHECK_THROWS_AS(system.publish("shop.prices/2", prices), Error);  // not in an attach
}

TEST_CASE("a plugin that refuses to start leaves no extension behind") {
  testkit::World world;
  CHECK_FALSE(world.system().add_plugin(*plugin_table<Module<Refusing>>("refusing", "1")));
  CHECK(world.system().extensions().all().empty());
}

TEST_SUITE_END();

}  // namespace actord::system
