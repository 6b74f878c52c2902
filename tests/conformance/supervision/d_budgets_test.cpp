// SPDX-License-Identifier: Apache-2.0
//
// Retry budgets and windows: items 68 to 82.
#include "play.hpp"

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

/// Fails the child, and says whether it was restarted.
bool survives(Play& play, Ref child) {
  play.fail<Restarting>(child);
  return play.is_alive(child) && play.answers(child);
}

}  // namespace

TEST_CASE("68 with no restart allowed the first failure stops, without restart hooks") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<0>>("boss"), "child");
    CHECK_FALSE(survives(play, child));
    CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE("69 without a window the budget is for life, and waiting does not help") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<3>>("boss"), "child");
    for (int i = 0; i < 3; ++i) {
      CHECK(survives(play, child));
      play.world.advance(24h * 365);
    }
    CHECK_FALSE(survives(play, child));
    CHECK(play.count("child new 3") == 1);
    CHECK(play.count("child new 4") == 0);
  });
}

TEST_CASE("70 without limit and window a hundred crashes are a hundred restarts") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<-1>>("boss"), "child");
    for (int i = 0; i < 100; ++i) CHECK(survives(play, child));
    CHECK(play.world.incarnation(child.value) == 100);
  });
}

TEST_CASE("71 unlimited within a window means one in it") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<-1, 10'000>>("boss"), "child");
    CHECK(survives(play, child));
    play.world.advance(5s);
    CHECK_FALSE(survives(play, child));
  });
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<-1, 10'000>>("boss"), "child");
    CHECK(survives(play, child));
    play.world.advance(10'001ms);
    CHECK(survives(play, child));
  });
}

TEST_CASE("72 the third crash inside a window of two stops") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<2, 1'000>>("boss"), "child");
    CHECK(survives(play, child));
    play.world.advance(300ms);
    CHECK(survives(play, child));
    play.world.advance(300ms);
    CHECK_FALSE(survives(play, child));
  });
}

TEST_CASE("73 after the window a crash opens a new one") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<2, 500>>("boss"), "child");
    CHECK(survives(play, child));
    CHECK(survives(play, child));
    play.world.advance(700ms);
    CHECK(survives(play, child));
    CHECK(survives(play, child));
    CHECK_FALSE(survives(play, child));
  });
}

TEST_CASE("74 a window begins with the first failure in it, and its boundary belongs to it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Limited<1, 500>>("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.world.advance(10s);  // the time before the first failure does not count
    CHECK(survives(play, child));
    play.world.advance(500ms);
    CHECK_FALSE(survives(play, child));
    const Ref other = play.spawn_under(boss, "other");
    CHECK(survives(play, other));
    play.world.advance(500ms + 1ns);
    CHECK(survives(play, other));
  });
}

TEST_CASE("75 a window of thirty days is enforced, for both kinds of strategy") {
  under_seeds([](Play& play) {
    using All = Boss<[] {
      return all_for_one({.max_restarts = 2, .within = 24h * 30}).otherwise(Directive::restart);
    }>;
    const Ref alone =
        play.spawn_under(play.spawn<Limited<2, 30ll * 24 * 3'600'000>>("one"), "alone");
    const Ref together = play.spawn_under(play.spawn<All>("all"), "together");
    for (const Ref child : {alone, together}) {
      CHECK(survives(play, child));
      play.world.advance(24h * 14);
      CHECK(survives(play, child));
      play.world.advance(24h * 15);
      CHECK_FALSE(survives(play, child));
    }
  });
}

TEST_CASE("76 a strategy with an empty window is refused at spawn") {
  under_seeds([](Play& play) {
    using Empty = Boss<[] { return one_for_one({.max_restarts = 3, .within = 0ns}); }>;
    std::string why;
    const Ref boss = play.spawn("boss");
    play.perform(boss, [&](Puppet& puppet, Context& ctx) {
      try {
        ctx.spawn<Empty>("child", &puppet.play(), Part{});
      } catch (const Error& refused) {
        why = refused.what();
      }
    });
    CHECK(why.find("within = 0") != why.npos);
    CHECK(play.find("/user/boss/child") == Ref{});
    CHECK(play.answers(boss));
  });
}

TEST_CASE("77 the budget is each child's own") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Limited<1>>("boss");
    std::vector<Ref> children;
    for (int i = 0; i < 5; ++i)
      children.push_back(play.spawn_under(boss, "child-" + std::to_string(i)));
    for (const Ref child : children) CHECK(survives(play, child));
    CHECK_FALSE(survives(play, children[2]));
    CHECK(play.answers(children[3]));
  });
}

TEST_CASE("78 resume, stop and escalate do not touch the budget") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn(
        "top", {.decide = [](Puppet&, Context&, const Failure&) { return Directive::resume; }});
    const Ref boss = play.spawn_under<Limited<1>>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    for (int i = 0; i < 3; ++i) {
      play.fail<Resuming>(child);
      play.fail<Escalating>(child);
    }
    CHECK(survives(play, child));
    play.fail<Resuming>(child);
    CHECK(play.answers(child));
    CHECK_FALSE(survives(play, child));
  });
}

TEST_CASE("79 the budget outlives restarts and the supervisor's own, and is new for a new child") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn<Judge>("top");
    const Ref boss = play.spawn_under<Limited<2>>(top, "boss", {.keeps_children = true});
    const Ref child = play.spawn_under(boss, "child");
    CHECK(survives(play, child));
    play.fail<Resuming>(boss);
    CHECK(survives(play, child));
    play.fail<Restarting>(boss);
    CHECK(play.world.incarnation(boss.value) == 1);
    CHECK(play.answers(child));
    CHECK_FALSE(survives(play, child));
    const Ref namesake = play.spawn_under(boss, "child");
    CHECK(survives(play, namesake));
    CHECK(survives(play, namesake));
    CHECK_FALSE(survives(play, namesake));
  });
}

TEST_CASE("80 any negative number means unlimited") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn_under(play.spawn<Limited<-7>>("boss"), "child");
    for (int i = 0; i < 20; ++i) CHECK(survives(play, child));
  });
}

TEST_CASE("81 an exhausted budget stops the child, spares the supervisor and says why") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Limited<1, 60'000>>("boss");
    const Ref child = play.spawn_under(boss, "child");
    CHECK(survives(play, child));
    CHECK(play.world.events("supervisor.limit").empty());
    CHECK_FALSE(survives(play, child));
    CHECK(play.answers(boss));
    CHECK(play.world.incarnation(boss.value) == 0);
    const auto limits = play.world.events("supervisor.limit");
    REQUIRE(limits.size() == 1);
    CHECK(limits[0].level == log::Level::error);
    CHECK(limits[0].field("actor.path") == "/user/boss/child");
    CHECK(limits[0].field("supervisor.path") == "/user/boss");
    CHECK(limits[0].field("restart.max") == "1");
    CHECK(limits[0].field("restart.within") == "60000000000");
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[1].field("decision.denied") == "true");
    CHECK(failed[1].field("failure.id") == limits[0].field("failure.id"));
  });
}

TEST_CASE("82 a supervisor that watches hears of an exhausted budget and can create anew") {
  under_seeds([](Play& play) {
    Ref successor;
    const Ref boss = play.spawn<Limited<1>>(
        "boss", {.terminated = [&](Puppet& puppet, Context& ctx, const Terminated&) {
          successor = ctx.spawn<Puppet>("child", &puppet.play(), Part{});
        }});
    const Ref child = play.spawn_under(boss, "child");
    play.watch(boss, child);
    CHECK(survives(play, child));
    CHECK_FALSE(survives(play, child));
    CHECK(play.count(ended("boss", "child", "limit")) == 1);
    CHECK(successor != child);
    CHECK(play.answers(successor));
    CHECK(play.find("/user/boss/child") == successor);
  });
}

}  // namespace actord::conformance
