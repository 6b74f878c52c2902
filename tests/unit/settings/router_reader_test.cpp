// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;
using Logic = RouterSettings::Logic;

namespace {

std::string routed(const std::string& block, const std::string& rest = "behaviour = \"a/B\"") {
  return "actord.user.x { " + rest + "\nrouter { " + block + " } }";
}

RouterSettings router_of(const std::string& block) {
  const Settings s = read(routed(block));
  REQUIRE(s.user.size() == 1);
  REQUIRE(s.user[0].router);
  return *s.user[0].router;
}

std::string refused(const std::string& block, const std::string& rest = "behaviour = \"a/B\"") {
  return errors(routed(block, rest));
}

}  // namespace

TEST_SUITE_BEGIN("settings/router_reader");

TEST_CASE("an empty block is a pool of one, in turn") {
  const RouterSettings router = router_of("");
  CHECK(router.is_pool);
  CHECK(router.logic == Logic::round_robin);
  CHECK(router.size == 1);
  CHECK_FALSE(router.resizer);
}

TEST_CASE("every key that is written is read") {
  const RouterSettings router = router_of(R"(size = 7, logic = smallest-mailbox
      resizer { lower = 2, upper = 9, pressure-threshold = 3, rampup-rate = 0.5,
                backoff-threshold = 0.4, backoff-rate = 0.25, interval = 3 s })");
  CHECK(router.size == 7);
  CHECK(router.logic == Logic::smallest_mailbox);
  REQUIRE(router.resizer);
  CHECK(router.resizer->lower == 2);
  CHECK(router.resizer->upper == 9);
  CHECK(router.resizer->pressure_threshold == 3);
  CHECK(router.resizer->rampup_rate == 0.5);
  CHECK(router.resizer->backoff_threshold == 0.4);
  CHECK(router.resizer->backoff_rate == 0.25);
  CHECK(router.resizer->interval_ns == 3'000'000'000);
  CHECK(router_of("logic = balancing, credits = 5").credits == 5);
  const RouterSettings tail = router_of("logic = tail-chopping, within = 2 s, interval = 20 ms");
  CHECK(tail.within_ns == 2'000'000'000);
  CHECK(tail.interval_ns == 20'000'000);
  const RouterSettings hashing =
      router_of("logic = consistent-hashing, hash-field = sku, points = 64");
  CHECK(hashing.hash_field == "sku");
  CHECK(hashing.points == 64);
}

TEST_CASE("a group has paths, and no behaviour") {
  const Settings s = read(routed("type = group, paths = [/user/a, /user/b]", ""));
  REQUIRE(s.user.at(0).router);
  CHECK_FALSE(s.user[0].router->is_pool);
  CHECK(s.user[0].router->paths == std::vector<std::string>{"/user/a", "/user/b"});
  CHECK_HAS(refused("type = group", ""), "a router of type group needs paths");
  CHECK_HAS(refused("type = group, paths = []", ""), "needs the path of an actor");
  CHECK_HAS(refused("type = group, paths = [a]", ""), "expected the path of an actor");
  CHECK_HAS(refused("type = group, paths = [/user/a]"), "takes no behaviour");
  CHECK_HAS(refused("type = group, paths = [/user/a]", "children { y {} }"), "has no children");
  CHECK_HAS(refused("type = group, paths = [/user/a], logic = balancing", ""),
            "this logic needs type = pool");
  CHECK_HAS(refused("type = group, paths = [/user/a], resizer {}", ""),
            "a resizer needs type = pool");
}

TEST_CASE("what has no effect, or cannot be, is an error that says what to write") {
  CHECK_HAS(refused("", ""), "a pool needs the behaviour of its routees");
  CHECK_HAS(refused("size = 0"), "size");
  CHECK_HAS(refused("paths = [/user/a]"), "paths needs type = group");
  CHECK_HAS(refused("logic = consistent-hashing"), "consistent-hashing needs hash-field");
  CHECK_HAS(refused("logic = round-robbin"), "round-robin");
  CHECK_HAS(refused("resizer { lower = 5, upper = 4 }"), "upper is smaller than lower");
  CHECK_HAS(refused("nr-of-instances = 5"), "size");
  CHECK_HAS(refused("",
                    "behaviour = \"a/B\", backoff-supervisor { mode = on-stop, min = 1 s, max = "
                    "2 s }"),
            "cannot have both router and backoff-supervisor");
}

TEST_CASE("a key that has no effect with the logic is warned of") {
  const auto warned = [](const std::string& block) {
    const Settings s = read(routed(block));
    REQUIRE(s.warnings.size() == 1);
    return s.warnings[0].message;
  };
  CHECK_HAS(warned("within = 1 s"), "within has no effect with this logic");
  CHECK_HAS(warned("logic = broadcast, interval = 1 s"), "interval has no effect with this logic");
  CHECK_HAS(warned("hash-field = a"), "hash-field has no effect with this logic");
  CHECK_HAS(warned("credits = 8"), "credits has no effect with this logic");
  CHECK_HAS(warned("points = 8"), "points has no effect with this logic");
}

TEST_CASE("a pattern has what an operator may change of a pool that code creates") {
  const auto pattern = [](const std::string& block) {
    return "actord.actor.deployment.\"/user/x/pool\".router { " + block + " }";
  };
  const Settings s =
      read(pattern("size = 7, logic = balancing, resizer { lower = 2, interval = 3 s }"));
  REQUIRE(s.deployments.size() == 1);
  REQUIRE(s.deployments[0].options.router);
  CHECK(s.deployments[0].options.router->size == 7);
  CHECK(read(pattern("logic = random")).deployments[0].options.router->size == 0);
  CHECK_HAS(errors(pattern("size = 0")), "size");
  CHECK_HAS(errors(pattern("logic = broadcast")), "smallest-mailbox");
  CHECK_HAS(errors(pattern("resizer { lower = 5, upper = 4 }")), "upper is smaller than lower");
  CHECK_HAS(errors(pattern("paths = [/user/a]")), "unknown key");
}

TEST_SUITE_END();
