// SPDX-License-Identifier: Apache-2.0
//
// All for one: items 83 to 90.
#include "play.hpp"

namespace actord::conformance {

namespace {

template <std::int64_t max_restarts = -1>
using Together = Boss<[] {
  return all_for_one({.max_restarts = max_restarts})
      .template on<Resuming>(Directive::resume)
      .template on<Restarting>(Directive::restart)
      .template on<Stopping>(Directive::stop);
}>;

std::vector<Ref> three_under(Play& play, Ref boss, const Part& part = {}) {
  std::vector<Ref> children;
  for (const char* name : {"one", "two", "three"})
    children.push_back(play.spawn_under(boss, name, part));
  return children;
}

}  // namespace

TEST_CASE("83 one of three fails: all three restart with its cause, siblings suspended first") {
  under_seeds([](Play& play) {
    int restarts = 0;
    Part part;
    part.pre_restart = [&](Puppet& puppet, Context& ctx, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "of two");
      CHECK(puppet.play().cell(ctx.self()).life.suspensions() == 1);
    };
    const auto children = three_under(play, play.spawn<Together<>>("boss"), part);
    play.fail<Restarting>(children[1], "of two");
    CHECK(restarts == 3);
    for (const char* name : {"one", "two", "three"})
      CHECK(play.life_of(name) ==
            "new 0, pre_start 0, pre_restart 0, new 1, post_restart 1, pre_start 1");
    for (const Ref child : children) {
      CHECK(play.cell(child).life.suspensions() == 0);
      CHECK(play.answers(child));
    }
    const auto failed = play.world.events("actor.failed");
    const auto restarted = play.world.events("actor.restarted");
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
    under_seeds([by_budget](Play& play) {
      const Ref boss = by_budget ? play.spawn<Together<0>>("boss") : play.spawn<Together<>>("boss");
      const auto children = three_under(play, boss);
      if (by_budget) play.fail<Restarting>(children[2]);
      else play.fail<Stopping>(children[2]);
      for (const Ref child : children) CHECK_FALSE(play.is_alive(child));
      for (const char* name : {"one", "two", "three"})
        CHECK(play.life_of(name) == "new 0, pre_start 0, post_stop 0");
      CHECK(play.answers(boss));
      CHECK(play.world.events("actor.failed").size() == 1);
    });
  }
}

TEST_CASE("85 the verdict resume resumes the failing child, and its siblings are untouched") {
  under_seeds([](Play& play) {
    const auto children = three_under(play, play.spawn<Together<>>("boss"));
    for (const Ref child : children)
      play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.fail<Resuming>(children[0]);
    for (const Ref child : children) {
      CHECK(play.value(child) == 42);
      CHECK(play.cell(child).life.suspensions() == 0);
    }
    CHECK(play.world.events("actor.resumed").size() == 1);
  });
}

TEST_CASE("86 every child is charged in their order, and the first denial stops all") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Together<2>>("boss");
    auto children = three_under(play, boss);
    play.fail<Restarting>(children[0]);
    children.push_back(play.spawn_under(boss, "four"));  // not charged for what was before it
    play.fail<Restarting>(children[3]);
    for (const Ref child : children) CHECK(play.answers(child));
    CHECK(play.cell(children[0]).stats->count == 2);
    CHECK(play.cell(children[3]).stats->count == 1);
    play.fail<Restarting>(children[3]);  // "one" is denied, whoever failed
    for (const Ref child : children) CHECK_FALSE(play.is_alive(child));
    CHECK(play.answers(boss));
  });
}

TEST_CASE("87 a child that stops without a failure does not affect its siblings") {
  under_seeds([](Play& play) {
    const auto children = three_under(play, play.spawn<Together<>>("boss"));
    play.perform(children[0], [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.world.send(children[1].value, PoisonPill{});
    CHECK(play.life_of("three") == "new 0, pre_start 0");
    CHECK(play.answers(children[2]));
  });
}

TEST_CASE("88 a manager with nothing to trap escalates, and restarts with all its workers") {
  under_seeds([](Play& play) {
    using Manager = Boss<[] { return all_for_one().on("nothing::AtAll", Directive::restart); }>;
    const Ref top = play.spawn("top");
    const Ref manager = play.spawn_under<Manager>(top, "manager", {.keeps_children = true});
    const auto workers = three_under(play, manager);
    play.fail<Restarting>(workers[1]);
    CHECK(play.world.incarnation(manager.value) == 1);
    CHECK(play.world.incarnation(top.value) == 0);
    for (const Ref worker : workers) {
      CHECK(play.world.incarnation(worker.value) == 1);
      CHECK(play.answers(worker));
    }
    play.world.send(workers[2].value, Kill{});
    for (const Ref worker : workers)
      CHECK_FALSE(play.is_alive(worker));  // killed: top stops it all
  });
}

TEST_CASE("89 a temporary child drags the permanent ones along") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Together<>>("boss");
    const auto children = three_under(play, boss);
    play.fail<Restarting>(play.spawn_under(boss, "temporary"));
    for (const Ref child : children) CHECK(play.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("90 a sibling that is already stopping is not revived by the restart of all") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Together<>>("boss");
    const auto children = three_under(play, boss);
    play.spawn_under(children[2], "slow");
    play.queue(boss, [last = children[2]](Puppet&, Context& ctx) { ctx.stop(last); });
    play.queue_failure<Restarting>(children[0]);
    play.world.run();
    CHECK_FALSE(play.is_alive(children[2]));
    CHECK(play.answers(children[0]));
    CHECK(play.answers(children[1]));
    CHECK(play.answers(play.spawn_under(boss, "three")));
  });
}

}  // namespace actord::conformance
