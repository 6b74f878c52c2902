// SPDX-License-Identifier: Apache-2.0
//
// Directives and the decider: items 1 to 20.
#include "actor/spawning.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("1 after resume the state is kept, the failing message is gone and the next is handled") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    int tries = 0;
    test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.queue(child, [&](ScriptedActor&, Context&) {
      ++tries;
      throw Resuming("boom");
    });
    test.note(child, 1);
    test.world.run();
    CHECK(test.value(child) == 42);
    CHECK(tries == 1);
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 1");
  });
}

TEST_CASE("2 after restart a fresh instance behind the same reference handles what is queued") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    int tries = 0;
    test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.queue(child, [&](ScriptedActor&, Context&) {
      ++tries;
      throw Restarting("boom");
    });
    test.note(child, 1);
    test.world.run();
    CHECK(test.value(child) == 0);
    CHECK(tries == 1);
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1, "
          "got 1");
  });
}

TEST_CASE("3 after stop watchers get exactly one Terminated, confirmed") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.fail<Stopping>(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated child confirmed failed");
  });
}

TEST_CASE("4 escalated, the same cause is the supervisor's failure and its own parent decides") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     ++decisions;
                     CHECK(failure.type() == "actord::conformance::Escalating");
                     CHECK(failure.what() == "boom");
                     CHECK(failure.detail("key") == "kept");
                     CHECK_FALSE(failure.cause());
                     return Directive::resume;
                   }});
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.perform(child, [](ScriptedActor&, Context&) {
      throw Escalating("boom", {{"key", "kept"}});
    });
    CHECK(decisions == 1);
    CHECK(test.answers(child));
    const auto failures = test.world.events("actor.failed");
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].field("actor.path") == "/user/top/boss/child");
    CHECK(failures[0].field("supervisor.path") == "/user/top");
    CHECK(failures[0].field("decision.path.0.supervisor") == "/user/top/boss");
  });
}

TEST_CASE(
    "5 escalated and the supervisor restarted by default, the failing grandchild is stopped") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Boss<[] { return one_for_one(); }>>("top");
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.perform(boss, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.fail<Escalating>(child);
    CHECK(test.count(ended("watcher", "child", "parent")) == 1);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.incarnation(boss.value) == 1);
    CHECK(test.value(boss) == 0);
  });
}

TEST_CASE("6 a supervisor that keeps its children takes the failing one along into the restart") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top");
    const Ref boss = test.spawn_under<Judge>(top, "boss", {.keeps_children = true});
    const Ref child = test.spawn_under(boss, "child");
    test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.fail<Escalating>(child);
    CHECK(test.find("/user/top/boss/child") == child);
    CHECK(test.value(child) == 0);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.world.incarnation(boss.value) == 1);
  });
}

TEST_CASE("7 a decider without a rule for the cause escalates") {
  under_seeds([](SeededTest& test) {
    std::string seen;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     seen = failure.type();
                     return Directive::resume;
                   }});
    const Ref boss =
        test.spawn_under<Boss<[] { return one_for_one().on<Resuming>(Directive::resume); }>>(
            top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Stopping>(child);
    CHECK(seen == "actord::conformance::Stopping");
    CHECK(test.answers(child));
  });
}

// The rule of Akka users: `case _: Exception => Restart`.
using Restarter =
    Boss<[] { return one_for_one().on("std::exception", Directive::restart); }, ScriptedActor>;

TEST_CASE("7 a rule on std::exception covers a kill and a death pact") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Restarter>("boss");
    const Ref child = test.spawn_under<Bound>(boss, "child");
    const Ref other = test.spawn("other");
    test.world.send(child.value, Kill{});
    test.world.run();
    CHECK(test.world.incarnation(child.value) == 1);
    test.watch(child, other);
    test.stop(other);
    test.world.run();
    CHECK(test.world.incarnation(child.value) == 2);
    for (const auto& failed : test.world.events("actor.failed"))
      CHECK(failed.field("decision.rule") == "std::exception");
  });
}

TEST_CASE("7 a rule on std::exception has a failed constructor called again, whatever it threw") {
  for (const bool is_foreign : {false, true}) {
    under_seeds([is_foreign](SeededTest& test) {
      int tries = 0;
      const Ref boss = test.spawn<Restarter>("boss");
      test.spawn_under(boss, "child", {.construct = [&](ScriptedActor&, Context&) {
                         if (++tries > 2) return;
                         if (is_foreign) throw 42;
                         throw std::logic_error("not yet");
                       }});
      CHECK(tries == 3);
      CHECK(test.answers(test.find("/user/boss/child")));
      const auto failed = test.world.events("actor.failed");
      REQUIRE(failed.size() == 2);
      for (const auto& line : failed)
        CHECK(line.field("failure.type") == "actord::InitializationFailure");
    });
  }
}

TEST_CASE("7 a rule on std::exception leaves what is no exception to escalate") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref top = test.spawn("top", deciding(Directive::stop, decisions));
    const Ref boss = test.spawn_under<Restarter>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.perform(child, [](ScriptedActor&, Context&) { throw 42; });
    CHECK(decisions == 1);
    CHECK_FALSE(test.is_alive(boss));
  });
}

TEST_CASE("8 combined with the default: own rules, then the default decider, then escalation") {
  under_seeds([](SeededTest& test) {
    int escalations = 0;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     ++escalations;
                     CHECK(failure.is_foreign());
                     return Directive::resume;
                   }});
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Resuming>(child);
    CHECK(test.world.incarnation(child.value) == 0);
    test.fail<std::logic_error>(child);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(escalations == 0);
    test.perform(child, [](ScriptedActor&, Context&) { throw 42; });
    CHECK(escalations == 1);
    test.world.send(child.value, Kill{});
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("9 what a decider throws is the supervisor's own failure, and no order is lost") {
  for (const Directive verdict : {Directive::resume, Directive::restart}) {
    under_seeds([verdict](SeededTest& test) {
      int judged = 0;
      std::string own;
      const Ref top =
          test.spawn("top", {.decide = [&](ScriptedActor&, Context& ctx, const Failure& f) {
                       own = f.what();
                       CHECK(ctx.path(ctx.sender()) == "/user/top/boss");
                       return verdict;
                     }});
      Script script{.decide = [&](ScriptedActor&, Context&, const Failure&) -> Directive {
        if (++judged == 1) throw Stopping("the decider");
        return Directive::resume;
      }};
      script.keeps_children = true;
      const Ref boss = test.spawn_under(top, "boss", script);
      const Ref one = test.spawn_under(boss, "one");
      const Ref two = test.spawn_under(boss, "two");
      const Ref watcher = test.spawn("watcher");
      test.queue_failure<Restarting>(one);
      test.queue_failure<Restarting>(two);
      test.queue(watcher, [boss](ScriptedActor&, Context& ctx) { ctx.watch(boss); });
      test.world.run();
      CHECK(own == "the decider");
      CHECK(judged >= 1);
      CHECK(test.answers(boss));
      CHECK(test.answers(one));
      CHECK(test.answers(two));
      test.stop(boss);
      CHECK(test.count(ended("watcher", "boss", "stopped")) == 1);
    });
  }
}

TEST_CASE("10 the decider reads the supervisor's state, and the sender is the failing child") {
  under_seeds([](SeededTest& test) {
    std::string failing;
    int state = 0;
    const Ref boss =
        test.spawn("boss", {.decide = [&](ScriptedActor& actor, Context& ctx, const Failure&) {
                     failing = ctx.path(ctx.sender());
                     state = actor.value;
                     return Directive::resume;
                   }});
    test.spawn_under(boss, "other");
    const Ref child = test.spawn_under(boss, "child");
    test.perform(boss, [](ScriptedActor& actor, Context&) { actor.value = 7; });
    test.fail<Stopping>(child);
    CHECK(failing == "/user/boss/child");
    CHECK(state == 7);
  });
}

TEST_CASE("11 a strategy that the operator replaces holds from the next failure on") {
  actor::Strategy resumes = actor::default_strategy(), stops = actor::default_strategy();
  resumes.otherwise = actor::Strategy::Otherwise::resume;
  stops.otherwise = actor::Strategy::Otherwise::stop;
  under_seeds([&](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    auto& props = actor::own_props(test.world.system().cells.at(actor::index_of(boss.value)));
    props.strategy = &resumes;
    test.fail<Stopping>(child);
    CHECK(test.answers(child));
    props.strategy = &stops;
    test.fail<Resuming>(child);
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("12 descendants of a failed actor handle no user message until the verdict") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref grandchild = test.spawn_under(child, "grandchild");
    test.queue_failure<Resuming>(child);
    test.send_system(boss, actor::SystemMessage::suspend());  // so that the verdict waits
    test.world.run();
    CHECK(test.cell(child).life.is_failed());
    test.note(child, 1);
    test.note(grandchild, 2);
    test.world.run();
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("grandchild got 2") == 0);
    test.world.send_system(boss.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 1);
    CHECK(test.count("grandchild got 2") == 1);
  });
}

TEST_CASE("13 when an actor resumes, all its descendants resume") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref grandchild = test.spawn_under(child, "grandchild");
    const Ref last = test.spawn_under(grandchild, "last");
    test.fail<Resuming>(child);
    for (const Ref each : {child, grandchild, last}) {
      CHECK(test.cell(each).life.suspensions() == 0);
      CHECK(test.answers(each));
      CHECK(test.world.incarnation(each.value) == 0);
    }
  });
}

TEST_CASE(
    "14 a supervisor that escalates suspends its other children, and not the failed one twice") {
  under_seeds([](SeededTest& test) {
    Ref child;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor& actor, Context&, const Failure&) {
                     CHECK(actor.test().cell(child).life.suspensions() == 1);
                     return Directive::resume;
                   }});
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    child = test.spawn_under(boss, "child");
    const Ref other = test.spawn_under(boss, "other");
    const Ref nephew = test.spawn_under(other, "nephew");
    test.fail<Escalating>(child);
    for (const Ref each : {boss, child, other, nephew}) {
      CHECK(test.cell(each).life.suspensions() == 0);
      CHECK(test.answers(each));
    }
  });
}

TEST_CASE("15 resumed after an escalation, the child that caused it is resumed for that failure") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top", deciding(Directive::resume));
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref other = test.spawn_under(boss, "other");
    test.fail<Escalating>(child);
    CHECK_FALSE(test.cell(child).life.is_failed());
    CHECK_FALSE(test.cell(boss).life.is_failed());
    const auto failed = test.world.events("actor.failed");
    const auto resumed = test.world.events("actor.resumed");
    REQUIRE(failed.size() == 1);
    REQUIRE(resumed.size() == 2);
    CHECK(resumed[0].field("actor.path") == "/user/top/boss");
    CHECK(resumed[1].field("actor.path") == "/user/top/boss/child");
    for (const auto& line : resumed)
      CHECK(line.field("failure.id") == failed[0].field("failure.id"));
    CHECK(test.answers(other));
    test.fail<Resuming>(child);  // a later failure is judged as if nothing had happened
    CHECK(test.answers(child));
  });
}

TEST_CASE("16 suspension is counted: two need two resumes") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const Ref grandchild = test.spawn_under(child, "grandchild");
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.note(child, 1);
    test.note(grandchild, 2);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 0);
    CHECK(test.count("grandchild got 2") == 0);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 1);
    CHECK(test.count("grandchild got 2") == 1);
  });
}

namespace {

struct Special : Resuming {
  using Resuming::Resuming;
};

}  // namespace

TEST_CASE("17 the rule for the most derived type wins, and among equals the first written") {
  under_seeds([](SeededTest& test) {
    const auto fate_under = [&](Ref boss) {
      const Ref child = test.spawn_under(boss, "child");
      test.fail<Special>(child);
      const bool survives = test.is_alive(child);
      test.stop(child);
      return survives;
    };
    CHECK(fate_under(test.spawn<Boss<[] {
      return one_for_one().on<Resuming>(Directive::stop).on<Special>(Directive::resume);
    }>>("general-first")));
    CHECK(fate_under(test.spawn<Boss<[] {
      return one_for_one().on<Special>(Directive::resume).on<Resuming>(Directive::stop);
    }>>("special-first")));
    CHECK(fate_under(test.spawn<Boss<[] {
      return one_for_one()
          .on<std::exception>(Directive::stop)
          .on<Resuming>(Directive::resume)
          .on<Resuming>(Directive::stop);
    }>>("twice")));
  });
}

TEST_CASE("18 a list of types to trap: those restart, everything else escalates") {
  under_seeds([](SeededTest& test) {
    int escalations = 0;
    const Ref top = test.spawn("top", deciding(Directive::resume, escalations));
    const Ref boss = test.spawn_under<Boss<[] {
      return one_for_one().on<Restarting>(Directive::restart).on<Stopping>(Directive::restart);
    }>>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    test.fail<Stopping>(child);
    CHECK(test.world.incarnation(child.value) == 2);
    CHECK(escalations == 0);
    test.fail<Resuming>(child);
    CHECK(escalations == 1);
    CHECK(test.world.incarnation(child.value) == 2);
  });
}

TEST_CASE("19 the failure of an unknown child or of a former one is dropped") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref boss = test.spawn("boss", deciding(Directive::stop, decisions));
    const Ref former = test.spawn_under(boss, "child");
    test.stop(former);
    const Ref child = test.spawn_under(boss, "child");
    const Ref stranger = test.spawn("stranger");
    for (const Ref subject : {former, stranger}) {
      const actor::FailurePtr failure(new actor::Failure);
      test.send_system(boss, actor::SystemMessage::failed(subject.value, failure));
      test.world.run();
    }
    CHECK(decisions == 0);
    CHECK(test.world.events("supervisor.failure-dropped").size() == 2);
    CHECK(test.answers(child));
    CHECK(test.answers(stranger));
  });
}

TEST_CASE("19 the failure of a former child is dropped, though another child has its cell by now") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref boss = test.spawn("boss", deciding(Directive::stop, decisions));
    const Ref former = test.spawn_under(boss, "");
    test.stop(former);
    Ref child = test.spawn_under(boss, "");
    for (int i = 0; i < 5000 && actor::index_of(child.value) != actor::index_of(former.value);
         ++i) {
      test.stop(child);
      child = test.spawn_under(boss, "");
    }
    REQUIRE(actor::index_of(child.value) == actor::index_of(former.value));
    test.send_system(
        boss, actor::SystemMessage::failed(former.value, actor::FailurePtr(new actor::Failure)));
    test.world.run();
    CHECK(decisions == 0);
    CHECK(test.answers(child));
  });
}

TEST_CASE("20 the failure of a child waits until its suspended supervisor runs again") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.queue_failure<Restarting>(child);
    test.send_system(boss, actor::SystemMessage::suspend());
    test.world.run();
    CHECK(test.cell(child).life.is_failed());
    CHECK(test.world.events("actor.failed").empty());
    test.world.send_system(boss.value, actor::SystemMessage::resume());
    CHECK(test.world.events("actor.failed").size() == 1);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
  });
}

TEST_CASE("20 the parked failure of a child that was stopped meanwhile is dropped") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.queue_failure<Restarting>(child);
    test.send_system(boss, actor::SystemMessage::suspend());
    test.world.run();
    CHECK(test.cell(child).life.is_failed());
    test.stop(child);
    CHECK_FALSE(test.is_alive(child));
    test.world.send_system(boss.value, actor::SystemMessage::resume());
    CHECK(test.world.events("actor.failed").empty());
    CHECK(test.world.events("supervisor.failure-dropped").size() == 1);
    CHECK(test.answers(boss));
  });
}

}  // namespace actord::conformance
