// SPDX-License-Identifier: Apache-2.0
//
// What mends failures fails itself, for want of memory, the only way it can: item 63.
#include "memory_shortage.hpp"
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("63 a supervisor whose failure handling fails is stopped with its children") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss", {.decide = [](Puppet&, Context&, const Failure&) {
                                  allocations_to_fail = 1;  // passing it on needs memory
                                  return Directive::escalate;
                                }});
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, boss);
    const Ref child = play.spawn_under(boss, "child");
    const Ref sibling = play.spawn_under(boss, "sibling");
    play.fail<Restarting>(child);
    CHECK(allocations_to_fail == 0);
    for (const Ref each : {boss, child, sibling}) CHECK_FALSE(play.is_alive(each));
    CHECK(play.came_in_order(
        {"sibling post_stop 0", "boss post_stop 0", "watcher terminated boss confirmed failed"}));
    const auto lines = play.world.events("actor.emergency-stop");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user/boss");
  });
}

TEST_CASE("63 an actor that cannot even report its failure is stopped") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.queue(child, [](Puppet&, Context& ctx) {
      ctx.fail<Restarting>("boom");
      allocations_to_fail = 1;  // the story of the failure needs memory
    });
    play.world.run();
    CHECK(allocations_to_fail == 0);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.count("child post_stop 0") == 1);
    CHECK(play.world.events("actor.emergency-stop").size() == 1);
  });
}

TEST_CASE("63 an actor ends whole even where there is no memory to tell of its end") {
  // The n-th allocation after post_stop fails: a dead letter's, a line's, the directory's, …
  for (int spared = 0; spared < 12; ++spared) {
    CAPTURE(spared);
    under_seeds([&](Play& play) {
      play.read_dead_letters();
      const Ref boss = play.spawn("boss");
      const Ref watcher = play.spawn("watcher");
      const auto run_short = [&](Puppet&, Context&) {
        allocations_to_spare = spared;
        allocations_to_fail = 1;
      };
      const std::string name = "a-child-whose-name-is-too-long-to-lie-in-place";
      const Ref child = play.spawn_under(boss, name, {.post_stop = run_short});
      REQUIRE(play.is_alive(child));
      play.watch(watcher, child);
      play.queue(child, [](Puppet&, Context& ctx) { ctx.stop(ctx.self()); });
      for (int n = 0; n < 3; ++n) play.note(child, n);
      play.world.run();
      allocations_to_fail = 0;
      CHECK_FALSE(play.is_alive(child));
      CHECK(play.count(ended("watcher", name, "stopped")) == 1);
      // Its name is free, and its cell is used again once enough others have died.
      if (play.is_alive(boss)) CHECK(play.is_alive(play.spawn_under(boss, name)));
      for (int n = 0; n < 200; ++n) {
        const Ref next = play.spawn("next");
        play.stop(next);
        play.world.run();
      }
    });
  }
}

}  // namespace actord::conformance
