// SPDX-License-Identifier: Apache-2.0
//
// What an operator may configure, as options of a test: how often a message is given again, where
// actors live, how much a plugin may have, when asks fail.
#include <doctest/doctest.h>

#include "unit/testkit/counter.hpp"

using namespace counting;
using actord::testkit::Unmet;

namespace {

// Fails on the first two of each three Adds.
class Fragile : public actord::Actor {
 public:
  explicit Fragile(int* tries) : tries_(*tries) {}
  void add(actord::Context&, const Add&) {
    if (++tries_ % 3 != 0) throw Overflow("too fragile");
  }
  Total get(const Get&) { throw Overflow("asked too much"); }
  using Receive = actord::Handlers<&Fragile::add, &Fragile::get>;

 private:
  int& tries_;
};

}  // namespace

TEST_SUITE_BEGIN("testkit/options");

TEST_CASE("a message on which the actor fails is given again so often as a deployment says") {
  int tries = 0;
  CounterTest system({.deployments = {{.pattern = "/user/fragile", .max_attempts = 3}}});
  const auto fragile = system.spawn<Fragile>("fragile", &tries);
  system.send(fragile, Add{1});
  CHECK(tries == 3);
  CHECK(system.restarts(fragile) == 2);
}

TEST_CASE("an ask fails with the handler, unless the options or a deployment say that it waits") {
  using actord::testkit::Options;
  const std::pair<Options, bool> cases[] = {
      {{}, true},
      {{.ask_fails_with_handler = false}, false},
      {{.deployments = {{.pattern = "/user/fragile", .ask_fails_with_handler = false}}}, false},
      {{.deployments = {{.pattern = "/user/fragile", .ask_fails_with_handler = true}},
        .ask_fails_with_handler = false},
       true}};
  for (const auto& [options, is_at_once] : cases) {
    int tries = 0;
    CounterTest system(options);
    auto probe = system.probe("probe");
    const auto fragile = system.spawn<Fragile>("fragile", &tries);
    const auto before = system.now();
    CHECK_THROWS_WITH_AS(static_cast<void>(probe.ask<Total>(fragile, Get{})),
                         doctest::Contains(is_at_once ? "asked too much" : "AskTimeout"), Unmet);
    CHECK((system.now() == before) == is_at_once);
  }
}

TEST_CASE(
    "actors live in a host process: by class, and by the name of the behaviour with a config") {
  CounterTest system({.is_isolated = true});
  auto probe = system.probe("probe");
  const auto named = system.spawn("named", "counting/Counter", "start = 40");
  const auto of_class = system.spawn<Counter>("of-class", Counter::Config{7, ""});
  const auto boss = system.spawn<Boss>("boss");
  CHECK(probe.ask<Total>(named, Get{}).n == 40);
  CHECK(probe.ask<Total>(of_class, Get{}).n == 7);
  probe.send(boss, Get{});
  CHECK(probe.expect<Total>().n == 5);  // of its child, which lives where it does
  system.send(named, Add{101});
  system.expect_event("actor.failed", {{"actor.path", "/user/named"}});
  CHECK(probe.ask<Total>(named, Get{}).n == 40);
  CHECK_THROWS_WITH_AS(system.fail<Overflow>({.path = "/user/named"}),
                       doctest::Contains("is_isolated"), actord::Error);
}

TEST_CASE("a plugin has no more actors than its limit") {
  CounterTest system({.plugin_limits = {{"counting", {.actors = 3}}}});
  auto probe = system.probe("probe");
  const auto parent = system.spawn("parent", "counting/Boss");  // and its child
  CHECK(system.is_alive(parent));
  CHECK(system.spawn("last", "counting/Counter") != actord::Ref{});
  CHECK_THROWS_WITH_AS(system.spawn("more", "counting/Counter"), doctest::Contains("limit"),
                       actord::Error);
}

TEST_SUITE_END();
