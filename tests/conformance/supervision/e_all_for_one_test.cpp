// SPDX-License-Identifier: Apache-2.0
//
// All for one: items 83 to 90.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

template <std::int64_t max_restarts = -1>
using Together = Boss<[] {
  return all_for_one({.max_restarts = max_restarts})
      .template on<Resuming>(Directive::resume)
      .template on<Restarting>(Directive::restart)
      .template on<Stopping>(Directive::stop);
}>;

std::vector<Ref> three_under(SeededTest& test, Ref boss, const Script& script = {}) {
  std::vector<Ref> children;
  for (const char* name : {"one", "two", "three"})
    children.push_back(test.spawn_under(boss, name, script));
  return children;
}

}  // namespace

TEST_CASE("83 one of three fails: all three restart with its cause, siblings suspended first") {
  under_seeds([](SeededTest& test) {
    int restarts = 0;
    Script script;
    script.pre_restart = [&](ScriptedActor& actor, Context& ctx, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "of two");
      CHECK(actor.test().cell(ctx.self()).life.suspensions() == 1);
    };
    const auto children = three_under(test, test.spawn<Together<>>("boss"), script);
    test.fail<Restarting>(children[1], "of two");
    CHECK(restarts == 3);
    for (const char* name : {"one", "two", "three"})
      CHECK(test.life_of(name) ==
            "new 0, pre_start 0, pre_restart 0, new 1, post_restart 1, pre_start 1");
    for (const Ref child : children) {
      CHECK(test.cell(child).life.suspensions() == 0);
      CHECK(test.answers(child));
    }
    const auto failed = test.world.events("actor.failed");
    const auto restarted = test.world.events("actor.restarted");
    REQUIRE(failed.size() == 1);
    REQUIRE(restarted.size() == 3);
    int collateral = 0;
    for (const auto& line : restarted) {
      const bool is_own = line.field("actor.path") == "/user/boss/two";
      CHECK(line.field(is_own ? "failure.id" : "collateral_of") == failed[0].field("failure.id"));
      if (!is_own) ++collateral;
    }
    CHECK(collateral == 2);
  });
}

TEST_CASE("84 the verdict stop, and an exhausted budget, stop all children") {
  for (const bool by_budget : {false, true}) {
    under_seeds([by_budget](SeededTest& test) {
      const Ref boss = by_budget ? test.spawn<Together<0>>("boss") : test.spawn<Together<>>("boss");
      const auto children = three_under(test, boss);
      if (by_budget) test.fail<Restarting>(children[2]);
      else test.fail<Stopping>(children[2]);
      for (const Ref child : children) CHECK_FALSE(test.is_alive(child));
      for (const char* name : {"one", "two", "three"})
        CHECK(test.life_of(name) == "new 0, pre_start 0, post_stop 0");
      CHECK(test.answers(boss));
      CHECK(test.world.events("actor.failed").size() == 1);
    });
  }
}

TEST_CASE("85 the verdict resume resumes the failing child, and its siblings are untouched") {
  under_seeds([](SeededTest& test) {
    const auto children = three_under(test, test.spawn<Together<>>("boss"));
    for (const Ref child : children)
      test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.fail<Resuming>(children[0]);
    for (const Ref child : children) {
      CHECK(test.value(child) == 42);
      CHECK(test.cell(child).life.suspensions() == 0);
    }
    CHECK(test.world.events("actor.resumed").size() == 1);
  });
}

TEST_CASE("86 every child is charged in their order, and the first denial stops all") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Together<2>>("boss");
    auto children = three_under(test, boss);
    test.fail<Restarting>(children[0]);
    children.push_back(test.spawn_under(boss, "four"));  // not charged for earlier failures
    test.fail<Restarting>(children[3]);
    for (const Ref child : children) CHECK(test.answers(child));
    CHECK(test.cell(children[0]).stats->window.count == 2);
    CHECK(test.cell(children[3]).stats->window.count == 1);
    test.fail<Restarting>(children[3]);  // the charge of "one" is denied, although "four" failed
    for (const Ref child : children) CHECK_FALSE(test.is_alive(child));
    CHECK(test.answers(boss));
  });
}

TEST_CASE("87 a child that stops without a failure does not affect its siblings") {
  under_seeds([](SeededTest& test) {
    const auto children = three_under(test, test.spawn<Together<>>("boss"));
    test.perform(children[0], [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.world.send(children[1].value, PoisonPill{});
    CHECK(test.life_of("three") == "new 0, pre_start 0");
    CHECK(test.answers(children[2]));
  });
}

TEST_CASE("88 a manager with nothing to trap escalates, and restarts with all its workers") {
  under_seeds([](SeededTest& test) {
    using Manager = Boss<[] { return all_for_one().on("nothing::AtAll", Directive::restart); }>;
    const Ref top = test.spawn("top");
    const Ref manager = test.spawn_under<Manager>(top, "manager", {.keeps_children = true});
    const auto workers = three_under(test, manager);
    test.fail<Restarting>(workers[1]);
    CHECK(test.world.incarnation(manager.value) == 1);
    CHECK(test.world.incarnation(top.value) == 0);
    for (const Ref worker : workers) {
      CHECK(test.world.incarnation(worker.value) == 1);
      CHECK(test.answers(worker));
    }
    test.world.send(workers[2].value, Kill{});
    for (const Ref worker : workers)
      CHECK_FALSE(test.is_alive(worker));  // killed: top stops them all
  });
}

TEST_CASE("89 a temporary child drags the permanent ones along") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Together<>>("boss");
    const auto children = three_under(test, boss);
    test.fail<Restarting>(test.spawn_under(boss, "temporary"));
    for (const Ref child : children) CHECK(test.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("90 a sibling that is already stopping is not revived by the restart of all") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Together<>>("boss");
    const auto children = three_under(test, boss);
    test.spawn_under(children[2], "slow");
    test.queue(boss, [last = children[2]](ScriptedActor&, Context& ctx) { ctx.stop(last); });
    test.queue_failure<Restarting>(children[0]);
    test.world.run();
    CHECK_FALSE(test.is_alive(children[2]));
    CHECK(test.answers(children[0]));
    CHECK(test.answers(children[1]));
    CHECK(test.answers(test.spawn_under(boss, "three")));
  });
}

}  // namespace actord::conformance
