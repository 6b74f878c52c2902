// SPDX-License-Identifier: Apache-2.0
//
// Gives the checks of `hierarchy` false events, each of which they must report.
#include "sim/hierarchy.hpp"

#include <doctest/doctest.h>

#include <utility>

namespace actord::sim {

TEST_SUITE_BEGIN("sim/hierarchy");

namespace {

/// A tree of three members at rest: a top (1) with two below it.
struct Three {
  Three() {
    hierarchy.plan = {{1, 2}, {}, {}};
    world.start(guardian);
    hierarchy.plant(world, [this] { return world.step(); });
    world.run();
  }
  void trouble(std::uint32_t whom, const Trouble& trouble) {
    world.tell(hierarchy.members[whom].ref, trouble);
    world.run();
  }
  Trouble restart() const {
    return {static_cast<std::uint32_t>(Directive::restart), 0, 0, 0, 0, 0};
  }

  const RunOptions options;
  const actor::NodeSpec guardian = restarting_guardian();
  Hierarchy hierarchy{1, options};
  SimWorld world{{}, hierarchy_plugin()};
};

}  // namespace

TEST_CASE("failures of every kind break no rule") {
  Three t;
  t.trouble(2, t.restart());
  t.trouble(2, {static_cast<std::uint32_t>(Directive::resume), 1, 0, 0, 0, 0});
  t.trouble(3, {static_cast<std::uint32_t>(Directive::restart), 1, 2, 2, 2, 1});
  t.trouble(1, {static_cast<std::uint32_t>(Directive::restart), 0, 0, 1, 1, 100});
  for (std::uint32_t i = 1; i < t.hierarchy.members.size(); ++i) {
    t.world.tell(t.hierarchy.members[i].ref, PingOfLife{});
    t.world.run();
    CHECK(t.hierarchy.members[i].has_answered == t.world.is_alive(t.hierarchy.members[i].ref));
  }
  CHECK(t.hierarchy.findings.first() == "");
}

TEST_CASE("1: a failed actor does not work") {
  Three t;
  t.hierarchy.members[2].is_failing = true;
  t.world.tell(t.hierarchy.members[2].ref, PingOfLife{});
  t.world.run();
  CHECK(t.hierarchy.findings.invariant() == 1);
}

TEST_CASE("3: a restart leaves the children that it should") {
  Three t;
  std::swap(t.hierarchy.members[1].children[0], t.hierarchy.members[1].children[1]);
  t.trouble(1, t.restart());
  CHECK(t.hierarchy.findings.invariant() == 3);
}

TEST_CASE("5 and 7: there is one instance, and one end") {
  Three t;
  SUBCASE("5") {
    ++t.hierarchy.members[2].instances;
    t.trouble(2, t.restart());
    CHECK(t.hierarchy.findings.invariant() == 5);
  }
  SUBCASE("7") {
    ++t.hierarchy.members[2].post_stops;
    t.world.system().terminate();
    t.world.run();
    CHECK(t.hierarchy.findings.invariant() == 7);
  }
}

TEST_SUITE_END();

}  // namespace actord::sim
