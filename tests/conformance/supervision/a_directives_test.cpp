// SPDX-License-Identifier: Apache-2.0
//
// Directives and the decider: items 1 to 20.
#include "actor/spawning.hpp"
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("1 after resume the state is kept, the failing message is gone and the next is handled") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    int tries = 0;
    play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.queue(child, [&](Puppet&, Context&) {
      ++tries;
      throw Resuming("boom");
    });
    play.note(child, 1);
    play.world.run();
    CHECK(play.value(child) == 42);
    CHECK(tries == 1);
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 1");
  });
}

TEST_CASE("2 after restart a fresh instance behind the same reference handles what is queued") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    int tries = 0;
    play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.queue(child, [&](Puppet&, Context&) {
      ++tries;
      throw Restarting("boom");
    });
    play.note(child, 1);
    play.world.run();
    CHECK(play.value(child) == 0);
    CHECK(tries == 1);
    CHECK(play.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1, "
          "got 1");
  });
}

TEST_CASE("3 after stop watchers get exactly one Terminated, confirmed") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.fail<Stopping>(child);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, terminated child confirmed failed");
  });
}

TEST_CASE("4 escalated, the same cause is the supervisor's failure and its own parent decides") {
  under_seeds([](Play& play) {
    int decisions = 0;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                 ++decisions;
                                 CHECK(failure.type() == "actord::conformance::Escalating");
                                 CHECK(failure.what() == "boom");
                                 CHECK(failure.detail("key") == "kept");
                                 CHECK_FALSE(failure.cause());
                                 return Directive::resume;
                               }});
    const Ref boss = play.spawn_under<Judge>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    play.perform(child, [](Puppet&, Context&) { throw Escalating("boom", {{"key", "kept"}}); });
    CHECK(decisions == 1);
    CHECK(play.answers(child));
    const auto failures = play.world.events("actor.failed");
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].field("actor.path") == "/user/top/boss/child");
    CHECK(failures[0].field("supervisor.path") == "/user/top");
    CHECK(failures[0].field("escalated") == "/user/top/boss");
  });
}

TEST_CASE(
    "5 escalated and the supervisor restarted by default, the failing grandchild is stopped") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn<Boss<[] { return one_for_one(); }>>("top");
    const Ref boss = play.spawn_under<Judge>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.perform(boss, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.fail<Escalating>(child);
    CHECK(play.count(ended("watcher", "child", "parent")) == 1);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.world.incarnation(boss.value) == 1);
    CHECK(play.value(boss) == 0);
  });
}

TEST_CASE("6 a supervisor that keeps its children takes the failing one along into the restart") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn("top");
    const Ref boss = play.spawn_under<Judge>(top, "boss", {.keeps_children = true});
    const Ref child = play.spawn_under(boss, "child");
    play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.fail<Escalating>(child);
    CHECK(play.find("/user/top/boss/child") == child);
    CHECK(play.value(child) == 0);
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(play.world.incarnation(boss.value) == 1);
  });
}

TEST_CASE("7 a decider without a rule for the cause escalates") {
  under_seeds([](Play& play) {
    std::string seen;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                 seen = failure.type();
                                 return Directive::resume;
                               }});
    const Ref boss =
        play.spawn_under<Boss<[] { return one_for_one().on<Resuming>(Directive::resume); }>>(
            top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    play.fail<Stopping>(child);
    CHECK(seen == "actord::conformance::Stopping");
    CHECK(play.answers(child));
  });
}

TEST_CASE("8 combined with the default: own rules, then the default decider, then escalation") {
  under_seeds([](Play& play) {
    int escalations = 0;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                 ++escalations;
                                 CHECK(failure.is_foreign());
                                 return Directive::resume;
                               }});
    const Ref boss = play.spawn_under<Judge>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    play.fail<Resuming>(child);
    CHECK(play.world.incarnation(child.value) == 0);
    play.fail<std::logic_error>(child);
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(escalations == 0);
    play.perform(child, [](Puppet&, Context&) { throw 42; });
    CHECK(escalations == 1);
    play.world.send(child.value, Kill{});
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("9 what a decider throws is the supervisor's own failure, and no order is lost") {
  for (const Directive verdict : {Directive::resume, Directive::restart}) {
    under_seeds([verdict](Play& play) {
      int judged = 0;
      std::string own;
      const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context& ctx, const Failure& f) {
                                   own = f.what();
                                   CHECK(ctx.path(ctx.sender()) == "/user/top/boss");
                                   return verdict;
                                 }});
      Part part{.decide = [&](Puppet&, Context&, const Failure&) -> Directive {
        if (++judged == 1) throw Stopping("the decider");
        return Directive::resume;
      }};
      part.keeps_children = true;
      const Ref boss = play.spawn_under(top, "boss", part);
      const Ref one = play.spawn_under(boss, "one");
      const Ref two = play.spawn_under(boss, "two");
      const Ref watcher = play.spawn("watcher");
      play.queue_failure<Restarting>(one);
      play.queue_failure<Restarting>(two);
      play.queue(watcher, [boss](Puppet&, Context& ctx) { ctx.watch(boss); });
      play.world.run();
      CHECK(own == "the decider");
      CHECK(judged >= 1);
      CHECK(play.answers(boss));
      CHECK(play.answers(one));
      CHECK(play.answers(two));
      play.stop(boss);
      CHECK(play.count(ended("watcher", "boss", "stopped")) == 1);
    });
  }
}

TEST_CASE("10 the decider reads the supervisor's state, and the sender is the failing child") {
  under_seeds([](Play& play) {
    std::string failing;
    int state = 0;
    const Ref boss =
        play.spawn("boss", {.decide = [&](Puppet& puppet, Context& ctx, const Failure&) {
                     failing = ctx.path(ctx.sender());
                     state = puppet.value;
                     return Directive::resume;
                   }});
    play.spawn_under(boss, "other");
    const Ref child = play.spawn_under(boss, "child");
    play.perform(boss, [](Puppet& puppet, Context&) { puppet.value = 7; });
    play.fail<Stopping>(child);
    CHECK(failing == "/user/boss/child");
    CHECK(state == 7);
  });
}

TEST_CASE("11 a strategy that the operator replaces holds from the next failure on") {
  actor::Strategy resumes = actor::default_strategy(), stops = actor::default_strategy();
  resumes.otherwise = actor::Strategy::Otherwise::resume;
  stops.otherwise = actor::Strategy::Otherwise::stop;
  under_seeds([&](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    auto& props = actor::own_props(play.world.system().cells.at(actor::index_of(boss.value)));
    props.strategy = &resumes;
    play.fail<Stopping>(child);
    CHECK(play.answers(child));
    props.strategy = &stops;
    play.fail<Resuming>(child);
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("12 descendants of one who failed handle no user mail until the verdict") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref grandchild = play.spawn_under(child, "grandchild");
    play.queue_failure<Resuming>(child);
    play.order(boss, actor::Order::suspend);  // so the verdict waits
    play.world.run();
    CHECK(play.cell(child).life.is_failed());
    play.note(child, 1);
    play.note(grandchild, 2);
    play.world.run();
    CHECK(play.count("child got 1") == 0);
    CHECK(play.count("grandchild got 2") == 0);
    play.world.order(boss.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 1);
    CHECK(play.count("grandchild got 2") == 1);
  });
}

TEST_CASE("13 with one who resumes all its descendants resume") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref grandchild = play.spawn_under(child, "grandchild");
    const Ref last = play.spawn_under(grandchild, "last");
    play.fail<Resuming>(child);
    for (const Ref each : {child, grandchild, last}) {
      CHECK(play.cell(each).life.suspensions() == 0);
      CHECK(play.answers(each));
      CHECK(play.world.incarnation(each.value) == 0);
    }
  });
}

TEST_CASE(
    "14 a supervisor that escalates suspends its other children, and not the failed one twice") {
  under_seeds([](Play& play) {
    Ref child;
    const Ref top = play.spawn("top", {.decide = [&](Puppet& puppet, Context&, const Failure&) {
                                 CHECK(puppet.play().cell(child).life.suspensions() == 1);
                                 return Directive::resume;
                               }});
    const Ref boss = play.spawn_under<Judge>(top, "boss");
    child = play.spawn_under(boss, "child");
    const Ref other = play.spawn_under(boss, "other");
    const Ref nephew = play.spawn_under(other, "nephew");
    play.fail<Escalating>(child);
    for (const Ref each : {boss, child, other, nephew}) {
      CHECK(play.cell(each).life.suspensions() == 0);
      CHECK(play.answers(each));
    }
  });
}

TEST_CASE("15 resumed after an escalation, the child that caused it is resumed for that failure") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn(
        "top", {.decide = [](Puppet&, Context&, const Failure&) { return Directive::resume; }});
    const Ref boss = play.spawn_under<Judge>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref other = play.spawn_under(boss, "other");
    play.fail<Escalating>(child);
    CHECK_FALSE(play.cell(child).life.is_failed());
    CHECK_FALSE(play.cell(boss).life.is_failed());
    const auto failed = play.world.events("actor.failed");
    const auto resumed = play.world.events("actor.resumed");
    REQUIRE(failed.size() == 1);
    REQUIRE(resumed.size() == 2);
    CHECK(resumed[0].field("actor.path") == "/user/top/boss");
    CHECK(resumed[1].field("actor.path") == "/user/top/boss/child");
    for (const auto& line : resumed)
      CHECK(line.field("failure.id") == failed[0].field("failure.id"));
    CHECK(play.answers(other));
    play.fail<Resuming>(child);  // and a later failure is judged as if nothing had been
    CHECK(play.answers(child));
  });
}

TEST_CASE("16 suspension is counted: two need two resumes") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const Ref grandchild = play.spawn_under(child, "grandchild");
    play.world.order(child.value, actor::Order::suspend);
    play.world.order(child.value, actor::Order::suspend);
    play.note(child, 1);
    play.note(grandchild, 2);
    play.world.order(child.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 0);
    CHECK(play.count("grandchild got 2") == 0);
    play.world.order(child.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 1);
    CHECK(play.count("grandchild got 2") == 1);
  });
}

namespace {

struct Special : Resuming {
  using Resuming::Resuming;
};

}  // namespace

TEST_CASE("17 the rule for the most derived type wins, and among equals the first written") {
  under_seeds([](Play& play) {
    const auto fate_under = [&](Ref boss) {
      const Ref child = play.spawn_under(boss, "child");
      play.fail<Special>(child);
      const bool survives = play.is_alive(child);
      play.stop(child);
      return survives;
    };
    CHECK(fate_under(play.spawn<Boss<[] {
      return one_for_one().on<Resuming>(Directive::stop).on<Special>(Directive::resume);
    }>>("general-first")));
    CHECK(fate_under(play.spawn<Boss<[] {
      return one_for_one().on<Special>(Directive::resume).on<Resuming>(Directive::stop);
    }>>("special-first")));
    CHECK(fate_under(play.spawn<Boss<[] {
      return one_for_one()
          .on<std::exception>(Directive::stop)
          .on<Resuming>(Directive::resume)
          .on<Resuming>(Directive::stop);
    }>>("twice")));
  });
}

TEST_CASE("18 a list of types to trap: those restart, everything else escalates") {
  under_seeds([](Play& play) {
    int escalations = 0;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure&) {
                                 ++escalations;
                                 return Directive::resume;
                               }});
    const Ref boss = play.spawn_under<Boss<[] {
      return one_for_one().on<Restarting>(Directive::restart).on<Stopping>(Directive::restart);
    }>>(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    play.fail<Restarting>(child);
    play.fail<Stopping>(child);
    CHECK(play.world.incarnation(child.value) == 2);
    CHECK(escalations == 0);
    play.fail<Resuming>(child);
    CHECK(escalations == 1);
    CHECK(play.world.incarnation(child.value) == 2);
  });
}

TEST_CASE("19 the failure of an unknown child or of a former one is dropped") {
  under_seeds([](Play& play) {
    int decisions = 0;
    const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure&) {
                                  ++decisions;
                                  return Directive::stop;
                                }});
    const Ref former = play.spawn_under(boss, "child");
    play.stop(former);
    const Ref child = play.spawn_under(boss, "child");
    const Ref stranger = play.spawn("stranger");
    for (const Ref subject : {former, stranger}) {
      actor::SystemBody body;
      body.subject = subject.value;
      body.failure = actor::FailurePtr(new actor::Failure).release();
      play.order(boss, actor::Order::failed, body);
      play.world.run();
    }
    CHECK(decisions == 0);
    CHECK(play.world.events("supervisor.failure-dropped").size() == 2);
    CHECK(play.answers(child));
    CHECK(play.answers(stranger));
  });
}

TEST_CASE("19 the failure of a former child is dropped, though another child has its cell by now") {
  under_seeds([](Play& play) {
    int decisions = 0;
    const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure&) {
                                  ++decisions;
                                  return Directive::stop;
                                }});
    const Ref former = play.spawn_under(boss, "");
    play.stop(former);
    Ref child = play.spawn_under(boss, "");
    for (int i = 0; i < 5000 && actor::index_of(child.value) != actor::index_of(former.value);
         ++i) {
      play.stop(child);
      child = play.spawn_under(boss, "");
    }
    REQUIRE(actor::index_of(child.value) == actor::index_of(former.value));
    actor::SystemBody body;
    body.subject = former.value;
    body.failure = actor::FailurePtr(new actor::Failure).release();
    play.order(boss, actor::Order::failed, body);
    play.world.run();
    CHECK(decisions == 0);
    CHECK(play.answers(child));
  });
}

TEST_CASE("20 the failure of a child waits until its suspended supervisor runs again") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.queue_failure<Restarting>(child);
    play.order(boss, actor::Order::suspend);
    play.world.run();
    CHECK(play.cell(child).life.is_failed());
    CHECK(play.world.events("actor.failed").empty());
    play.world.order(boss.value, actor::Order::resume);
    CHECK(play.world.events("actor.failed").size() == 1);
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(play.answers(child));
  });
}

TEST_CASE("20 the parked failure of a child that was stopped meanwhile is dropped") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Judge>("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.queue_failure<Restarting>(child);
    play.order(boss, actor::Order::suspend);
    play.world.run();
    CHECK(play.cell(child).life.is_failed());
    play.stop(child);
    CHECK_FALSE(play.is_alive(child));
    play.world.order(boss.value, actor::Order::resume);
    CHECK(play.world.events("actor.failed").empty());
    CHECK(play.world.events("supervisor.failure-dropped").size() == 1);
    CHECK(play.answers(boss));
  });
}

}  // namespace actord::conformance
