// SPDX-License-Identifier: Apache-2.0
//
// Retry budgets and windows: items 68 to 82.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

template <std::int64_t max_restarts, std::int64_t within_ms = -1>
using Limited = Boss<[] {
  Budget budget{.max_restarts = max_restarts};
  if (within_ms >= 0) budget.within = std::chrono::milliseconds(within_ms);
  return one_for_one(budget)
      .template on<Resuming>(Directive::resume)
      .template on<Stopping>(Directive::stop)
      .template on<Escalating>(Directive::escalate)
      .otherwise(Directive::restart);
}>;

/// Fails the child and returns whether it was restarted.
bool survives(SeededTest& test, Ref child) {
  test.fail<Restarting>(child);
  return test.is_alive(child) && test.answers(child);
}

}  // namespace

TEST_CASE("68 with no restart allowed the first failure stops, without restart hooks") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<0>>("boss"), "child");
    CHECK_FALSE(survives(test, child));
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE("69 without a window the budget is for life, and waiting does not help") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<3>>("boss"), "child");
    for (int i = 0; i < 3; ++i) {
      CHECK(survives(test, child));
      test.world.advance(24h * 365);
    }
    CHECK_FALSE(survives(test, child));
    CHECK(test.count("child new 3") == 1);
    CHECK(test.count("child new 4") == 0);
  });
}

TEST_CASE("70 without limit and window a hundred crashes are a hundred restarts") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<-1>>("boss"), "child");
    for (int i = 0; i < 100; ++i) CHECK(survives(test, child));
    CHECK(test.world.incarnation(child.value) == 100);
  });
}

TEST_CASE("71 unlimited within a window means one in it") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<-1, 10'000>>("boss"), "child");
    CHECK(survives(test, child));
    test.world.advance(5s);
    CHECK_FALSE(survives(test, child));
  });
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<-1, 10'000>>("boss"), "child");
    CHECK(survives(test, child));
    test.world.advance(10'001ms);
    CHECK(survives(test, child));
  });
}

TEST_CASE("72 the third crash inside a window of two stops") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<2, 1'000>>("boss"), "child");
    CHECK(survives(test, child));
    test.world.advance(300ms);
    CHECK(survives(test, child));
    test.world.advance(300ms);
    CHECK_FALSE(survives(test, child));
  });
}

TEST_CASE("73 after the window a crash opens a new one") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<2, 500>>("boss"), "child");
    CHECK(survives(test, child));
    CHECK(survives(test, child));
    test.world.advance(700ms);
    CHECK(survives(test, child));
    CHECK(survives(test, child));
    CHECK_FALSE(survives(test, child));
  });
}

TEST_CASE("74 a window begins with the first failure in it, and its boundary belongs to it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Limited<1, 500>>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.world.advance(10s);  // the time before the first failure does not count
    CHECK(survives(test, child));
    test.world.advance(500ms);
    CHECK_FALSE(survives(test, child));
    const Ref other = test.spawn_under(boss, "other");
    CHECK(survives(test, other));
    test.world.advance(500ms + 1ns);
    CHECK(survives(test, other));
  });
}

TEST_CASE("75 a window of thirty days is enforced, for both kinds of strategy") {
  under_seeds([](SeededTest& test) {
    using All = Boss<[] {
      return all_for_one({.max_restarts = 2, .within = 24h * 30}).otherwise(Directive::restart);
    }>;
    const Ref alone =
        test.spawn_under(test.spawn<Limited<2, 30ll * 24 * 3'600'000>>("one"), "alone");
    const Ref together = test.spawn_under(test.spawn<All>("all"), "together");
    for (const Ref child : {alone, together}) {
      CHECK(survives(test, child));
      test.world.advance(24h * 14);
      CHECK(survives(test, child));
      test.world.advance(24h * 15);
      CHECK_FALSE(survives(test, child));
    }
  });
}

TEST_CASE("76 a strategy with an empty window is refused at spawn") {
  under_seeds([](SeededTest& test) {
    using Empty = Boss<[] { return one_for_one({.max_restarts = 3, .within = 0ns}); }>;
    std::string why;
    const Ref boss = test.spawn("boss");
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      try {
        ctx.spawn<Empty>("child", &actor.test(), Script{});
      } catch (const Error& refused) {
        why = refused.what();
      }
    });
    CHECK(why.find("within = 0") != why.npos);
    CHECK(test.find("/user/boss/child") == Ref{});
    CHECK(test.answers(boss));
  });
}

TEST_CASE("77 the budget is each child's own") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Limited<1>>("boss");
    std::vector<Ref> children;
    for (int i = 0; i < 5; ++i)
      children.push_back(test.spawn_under(boss, "child-" + std::to_string(i)));
    for (const Ref child : children) CHECK(survives(test, child));
    CHECK_FALSE(survives(test, children[2]));
    CHECK(test.answers(children[3]));
  });
}

TEST_CASE("78 resume, stop and escalate do not touch the budget") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top", deciding(Directive::resume));
    const Ref boss = test.spawn_under<Limited<1>>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    for (int i = 0; i < 3; ++i) {
      test.fail<Resuming>(child);
      test.fail<Escalating>(child);
    }
    CHECK(survives(test, child));
    test.fail<Resuming>(child);
    CHECK(test.answers(child));
    CHECK_FALSE(survives(test, child));
  });
}

TEST_CASE("79 the budget outlives restarts and the supervisor's own, and is new for a new child") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Judge>("top");
    const Ref boss = test.spawn_under<Limited<2>>(top, "boss", {.keeps_children = true});
    const Ref child = test.spawn_under(boss, "child");
    CHECK(survives(test, child));
    test.fail<Resuming>(boss);
    CHECK(survives(test, child));
    test.fail<Restarting>(boss);
    CHECK(test.world.incarnation(boss.value) == 1);
    CHECK(test.answers(child));
    CHECK_FALSE(survives(test, child));
    const Ref namesake = test.spawn_under(boss, "child");
    CHECK(survives(test, namesake));
    CHECK(survives(test, namesake));
    CHECK_FALSE(survives(test, namesake));
  });
}

TEST_CASE("80 any negative number means unlimited") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Limited<-7>>("boss"), "child");
    for (int i = 0; i < 20; ++i) CHECK(survives(test, child));
  });
}

TEST_CASE("81 an exhausted budget stops the child, spares the supervisor and says why") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Limited<1, 60'000>>("boss");
    const Ref child = test.spawn_under(boss, "child");
    CHECK(survives(test, child));
    CHECK(test.world.events("supervisor.limit").empty());
    CHECK_FALSE(survives(test, child));
    CHECK(test.answers(boss));
    CHECK(test.world.incarnation(boss.value) == 0);
    const auto limits = test.world.events("supervisor.limit");
    REQUIRE(limits.size() == 1);
    CHECK(limits[0].level == log::Level::error);
    CHECK(limits[0].field("actor.path") == "/user/boss/child");
    CHECK(limits[0].field("supervisor.path") == "/user/boss");
    CHECK(limits[0].field("restart.max") == "1");
    CHECK(limits[0].field("restart.within") == "60000000000");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[1].field("decision.denied") == "restart");
    CHECK(failed[1].field("failure.id") == limits[0].field("failure.id"));
  });
}

TEST_CASE("82 a supervisor that watches hears of an exhausted budget and can create anew") {
  under_seeds([](SeededTest& test) {
    Ref successor;
    const Ref boss = test.spawn<Limited<1>>(
        "boss", {.terminated = [&](ScriptedActor& actor, Context& ctx, const Terminated&) {
          successor = ctx.spawn<ScriptedActor>("child", &actor.test(), Script{});
        }});
    const Ref child = test.spawn_under(boss, "child");
    test.watch(boss, child);
    CHECK(survives(test, child));
    CHECK_FALSE(survives(test, child));
    CHECK(test.count(ended("boss", "child", "limit")) == 1);
    CHECK(successor != child);
    CHECK(test.answers(successor));
    CHECK(test.find("/user/boss/child") == successor);
  });
}

}  // namespace actord::conformance
