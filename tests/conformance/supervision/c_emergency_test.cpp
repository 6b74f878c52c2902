// SPDX-License-Identifier: Apache-2.0
//
// The handling of a failure fails itself. It can fail only for want of memory: item 63.
#include "memory_shortage.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("63 a supervisor whose failure handling fails is stopped with its children") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss", {.decide = [](ScriptedActor&, Context&, const Failure&) {
                                  allocations_to_fail = 1;  // escalating needs memory
                                  return Directive::escalate;
                                }});
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, boss);
    const Ref child = test.spawn_under(boss, "child");
    const Ref sibling = test.spawn_under(boss, "sibling");
    test.fail<Restarting>(child);
    CHECK(allocations_to_fail == 0);
    for (const Ref each : {boss, child, sibling}) CHECK_FALSE(test.is_alive(each));
    CHECK(test.came_in_order(
        {"sibling post_stop 0", "boss post_stop 0", "watcher terminated boss confirmed failed"}));
    const auto lines = test.world.events("actor.emergency-stop");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user/boss");
  });
}

TEST_CASE("63 an actor that cannot even report its failure is stopped") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.queue(child, [](ScriptedActor&, Context& ctx) {
      ctx.fail<Restarting>("boom");
      allocations_to_fail = 1;  // recording the failure needs memory
    });
    test.world.run();
    CHECK(allocations_to_fail == 0);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.count("child post_stop 0") == 1);
    CHECK(test.world.events("actor.emergency-stop").size() == 1);
  });
}

TEST_CASE("63 an actor terminates fully even without memory to report its end") {
  // The n-th allocation after post_stop fails: that of a dead letter, a line, the directory, …
  for (int spared = 0; spared < 12; ++spared) {
    CAPTURE(spared);
    under_seeds([&](SeededTest& test) {
      test.read_dead_letters();
      const Ref boss = test.spawn("boss");
      const Ref watcher = test.spawn("watcher");
      const auto run_short = [&](ScriptedActor&, Context&) {
        allocations_to_spare = spared;
        allocations_to_fail = 1;
      };
      const std::string name = "a-child-whose-name-is-too-long-to-lie-in-place";
      const Ref child = test.spawn_under(boss, name, {.post_stop = run_short});
      REQUIRE(test.is_alive(child));
      test.watch(watcher, child);
      test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stop(ctx.self()); });
      for (int n = 0; n < 3; ++n) test.note(child, n);
      test.world.run();
      allocations_to_fail = 0;
      CHECK_FALSE(test.is_alive(child));
      CHECK(test.count(ended("watcher", name, "stopped")) == 1);
      // Its name is free, and its cell is reused once enough other actors have died.
      if (test.is_alive(boss)) CHECK(test.is_alive(test.spawn_under(boss, name)));
      for (int n = 0; n < 200; ++n) {
        const Ref next = test.spawn("next");
        test.stop(next);
        test.world.run();
      }
    });
  }
}

}  // namespace actord::conformance
