// SPDX-License-Identifier: Apache-2.0
#include "actor/config_snapshot.hpp"

#include <doctest/doctest.h>

#include "actor/reconfiguration.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/config_snapshot");

namespace {

base::Result<std::uint16_t> dispatcher_id(std::string_view name) {
  if (name == "default") return std::uint16_t{1};
  if (name == "pinned") return std::uint16_t{3};
  return base::Error{"there is no dispatcher \"" + std::string{name} + '"'};
}

const message::TypeRegistry types;

NodeSpec node(std::string name, ActorOptions options, std::vector<NodeSpec> children = {}) {
  NodeSpec spec;
  spec.name = std::move(name);
  spec.options = std::move(options);
  spec.children = std::move(children);
  return spec;
}

base::Result<ConfigSnapshotPtr> build(NodeSpec user, std::vector<Deployment> deployments) {
  NodeSpec root;
  root.children.push_back(std::move(user));
  return ConfigSnapshot::build(1, std::move(root), std::move(deployments), {}, dispatcher_id,
                               types);
}

}  // namespace

TEST_CASE("a node's own options have priority one by one, and the pattern gives the others") {
  const auto built =
      build(node("user", {}, {node("shop", {.dispatcher = "default", .stash_capacity = 5})}),
            {{"/user/*",
              {.strategy = stopping_strategy(), .dispatcher = "pinned", .mailbox_capacity = 9}}});
  REQUIRE(built);
  const ConfigSnapshot& snapshot = **built;
  const ActorSettings settings = snapshot.user().children[0].settings;
  REQUIRE(settings.strategy != nullptr);
  CHECK(settings.strategy->name == "stopping");
  CHECK(settings.dispatcher == 1);
  CHECK(settings.mailbox_capacity == 9);
  CHECK(settings.stash_capacity == 5);
}

TEST_CASE("a mailbox is put together from the node and the pattern, key by key") {
  const auto built = build(
      node(
          "user", {},
          {node("own", {.overflow = Overflow::wait, .control = TypeNames{}}), node("pattern", {})}),
      {{"/user/*",
        {.mailbox_capacity = 3, .push_timeout_ns = 5, .priority = {"shop.Order/1", "*"}}}});
  REQUIRE(built);
  const ActorSettings& own = (*built)->user().children[0].settings;
  CHECK(own.mailbox_capacity == 3);
  CHECK(own.overflow == Overflow::wait);
  CHECK(own.push_timeout_ns == 5);
  REQUIRE(own.ranks != nullptr);
  CHECK(own.ranks->text() == "control, shop.Order/1, *");
  const ActorSettings& pattern = (*built)->user().children[1].settings;
  REQUIRE(pattern.ranks != nullptr);
  CHECK(pattern.ranks->text() == "shop.Order/1, *");
  CHECK(pattern.overflow == Overflow::unset);
  CHECK(pattern.ranks == (*built)->settings_at("/user/other").ranks);
  CHECK((*built)->settings_at("/user/other/child").ranks == nullptr);
}

TEST_CASE("another mailbox needs another actor") {
  const NodeSpec was = node("shop", {.mailbox_capacity = 3});
  CHECK(change_between(was, was) == NodeChange::none);
  for (const ActorOptions& options :
       {ActorOptions{.mailbox_capacity = 4},
        ActorOptions{.mailbox_capacity = 3, .overflow = Overflow::drop_old},
        ActorOptions{.mailbox_capacity = 3, .push_timeout_ns = 1},
        ActorOptions{.mailbox_capacity = 3, .priority = {"*"}},
        ActorOptions{.mailbox_capacity = 3, .control = TypeNames{}}})
    CHECK(change_between(was, node("shop", options)) == NodeChange::replaced);
}

TEST_CASE("isolation: the node's own, else that of the pattern, else that of the plugin") {
  const auto built =
      build(node("user", {},
                 {node("own", {.isolation = Isolation::thread}),
                  node("pattern", {.worker_group = "per-actor"})}),
            {{"/user/*", {.isolation = Isolation::automatic, .worker_group = "shared:shop"}}});
  REQUIRE(built);
  const IsolationByPlugin plugins = {{"shop", Isolation::process}};
  const ActorSettings& own = (*built)->user().children[0].settings;
  CHECK(isolation_of(own, plugins, "shop") == Isolation::thread);
  CHECK(own.worker_group == "shared:shop");
  const ActorSettings& pattern = (*built)->user().children[1].settings;
  CHECK(isolation_of(pattern, plugins, "shop") == Isolation::automatic);
  CHECK(pattern.worker_group == "per-actor");
  const ActorSettings spawned = (*built)->settings_at("/user/own/child");
  CHECK(isolation_of(spawned, plugins, "shop") == Isolation::process);
  CHECK(isolation_of(spawned, plugins, "other") == Isolation::thread);
  CHECK(spawned.worker_group.empty());
}

TEST_CASE("another isolation needs another actor, another group only another instance") {
  const NodeSpec was = node("shop", {.isolation = Isolation::process});
  CHECK(change_between(was, node("shop", {})) == NodeChange::replaced);
  CHECK(change_between(was, node("shop", {.isolation = Isolation::process,
                                          .worker_group = "per-actor"})) == NodeChange::rebuilt);
  CHECK(change_between(was, was) == NodeChange::none);
}

TEST_CASE("an actor without a node has the options of the first pattern that matches") {
  const auto built = build(node("user", {}), {{"/user/shop", {.mailbox_capacity = 2}},
                                              {"/user/*", {.dispatcher = "pinned"}}});
  REQUIRE(built);
  CHECK((*built)->settings_at("/user/shop").mailbox_capacity == 2);
  CHECK((*built)->settings_at("/user/shop").dispatcher == 0);
  CHECK((*built)->settings_at("/user/till").dispatcher == 3);
  CHECK((*built)->settings_at("/user/till/drawer").dispatcher == 0);
}

TEST_CASE("a snapshot in which a node or a pattern names an unknown dispatcher is not built") {
  CHECK(build(node("user", {}, {node("shop", {.dispatcher = "fast"})}), {}).error().what ==
        "/user/shop: there is no dispatcher \"fast\"");
  CHECK(build(node("user", {}), {{"/user/*", {.dispatcher = "fast"}}}).error().what ==
        "deployment \"/user/*\": there is no dispatcher \"fast\"");
}

TEST_SUITE_END();

}  // namespace actord::actor
