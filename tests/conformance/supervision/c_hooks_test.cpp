// SPDX-License-Identifier: Apache-2.0
//
// Failures inside hooks and construction: items 41 to 66.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// Restarts also a child that could not be created.
using Stubborn = Boss<[] { return one_for_one().otherwise(Directive::restart); }>;
using Easygoing = Boss<[] { return one_for_one().otherwise(Directive::resume); }>;

/// A hook that fails the first `times` times.
Script::Hook failing(int& times) {
  return [&times](ScriptedActor&, Context&) {
    if (times-- > 0) throw Restarting("not yet");
  };
}
Script::RestartHook failing_to_mend(int& times) {
  return [&times](ScriptedActor&, Context&, const Failure&) {
    if (times-- > 0) throw Restarting("not yet");
  };
}

}  // namespace

TEST_CASE("41 a constructor that throws is an initialization failure, and stops by default") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref boss =
        test.spawn("boss", {.decide = [&](ScriptedActor&, Context& ctx, const Failure& f) {
                     ++decisions;
                     CHECK(f.is<InitializationFailure>());
                     CHECK_FALSE(f.is<PostRestartFailure>());
                     CHECK_FALSE(f.is<Restarting>());
                     CHECK(f.what() == "no way");
                     CHECK(f.cause());
                     CHECK(f.root_cause().is<Restarting>());
                     CHECK(ctx.path(ctx.sender()) == "/user/boss/child");
                     return Directive::undecided;
                   }});
    const Ref child = test.spawn_under(
        boss, "child", {.construct = [](ScriptedActor&, Context&) { throw Restarting("no way"); }});
    CHECK(decisions == 1);
    CHECK_FALSE(test.is_alive(child));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("actor.path") == "/user/boss/child");
    CHECK(failed[0].field("failure.message") == "no way");
    CHECK(failed[0].field("failure.phase") == "constructor");
    CHECK(failed[0].field("decision.directive") == "stop");
  });
}

TEST_CASE("42 a preStart that throws is an initialization failure, and stops by default") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref child = test.spawn_under(
        boss, "child", {.pre_start = [](ScriptedActor&, Context&) { throw Restarting("no way"); }});
    CHECK_FALSE(test.is_alive(child));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
    CHECK(failed[0].field("failure.cause.type") == "actord::conformance::Restarting");
    CHECK(failed[0].field("failure.message") == "no way");
    CHECK(failed[0].field("failure.phase") == "pre_start");
  });
}

TEST_CASE("43 an instance whose creation failed sees neither postStop nor preRestart") {
  for (const bool is_stubborn : {false, true}) {
    under_seeds([is_stubborn](SeededTest& test) {
      int constructions = 1, starts = 1;
      const Ref boss = is_stubborn ? test.spawn<Stubborn>("boss") : test.spawn("boss");
      test.spawn_under(boss, "one", {.construct = failing(constructions)});
      test.spawn_under(boss, "two", {.pre_start = failing(starts)});
      CHECK(test.life_of("one") == (is_stubborn ? "new 0, new 1, pre_start 1" : "new 0"));
      CHECK(test.life_of("two") ==
            (is_stubborn ? "new 0, pre_start 0, new 1, pre_start 1" : "new 0, pre_start 0"));
    });
  }
}

TEST_CASE(
    "44 a failed creation that is stopped: watchers get Terminated, messages are dead letters") {
  under_seeds([](SeededTest& test) {
    Ref child;
    const Ref boss = test.spawn("boss");
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      const Script script{.pre_start = [](ScriptedActor&, Context&) { throw Stopping("no way"); }};
      child = ctx.spawn<ScriptedActor>("child", &actor.test(), script);
      ctx.watch(child);
      ctx.tell(child, Note{1});
      ctx.tell(child, Note{2});
    });
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.count(ended("boss", "child", "init-failed")) == 1);
    CHECK(test.world.events("deadletter").size() == 2);
    CHECK(test.find("/user/boss/child") == Ref{});
    CHECK(test.answers(test.spawn_under(boss, "child")));
  });
}

TEST_CASE("45 a failed creation that is restarted is a new creation, without postRestart") {
  under_seeds([](SeededTest& test) {
    int times = 5;
    const Ref boss = test.spawn<Stubborn>("boss");
    const Ref child = test.spawn_under(boss, "child", {.construct = failing(times)});
    CHECK(test.life_of("child") == "new 0, new 1, new 2, new 3, new 4, new 5, pre_start 5");
    CHECK(test.answers(child));
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("46 a failed creation that is resumed is a new creation, too") {
  under_seeds([](SeededTest& test) {
    int constructions = 2, starts = 2;
    const Ref boss = test.spawn<Easygoing>("boss");
    const Ref child = test.spawn_under(
        boss, "child", {.construct = failing(constructions), .pre_start = failing(starts)});
    CHECK(test.life_of("child") ==
          "new 0, new 1, new 2, pre_start 2, new 3, pre_start 3, new 4, pre_start 4");
    CHECK(test.answers(child));
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("47 a preStart that always throws is tried as often as the budget says, and once more") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<
        Boss<[] { return one_for_one({.max_restarts = 3}).otherwise(Directive::restart); }>>(
        "boss");
    const Ref child = test.spawn_under(
        boss, "child", {.pre_start = [](ScriptedActor&, Context&) { throw Restarting("never"); }});
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, new 1, pre_start 1, new 2, pre_start 2, new 3, pre_start 3");
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("48 children of a failed constructor are stopped and awaited before the next attempt") {
  under_seeds([](SeededTest& test) {
    int times = 2;
    const Script script{.construct = [&](ScriptedActor& actor, Context& ctx) {
      const Ref kid = ctx.spawn<ScriptedActor>("kid", &actor.test(), Script{});
      ctx.tell(kid, Note{actor.number()});
      if (times-- > 0) throw Restarting("not yet");
    }};
    const Ref boss = test.spawn<Stubborn>("boss");
    const Ref child = test.spawn_under(boss, "child", script);
    CHECK(test.life_of("child") == "new 0, new 1, new 2, pre_start 2");
    CHECK(test.came_in_order({"child new 0", "child new 1", "child new 2", "kid got 2"}));
    CHECK(test.answers(child));
    CHECK(test.answers(test.find("/user/boss/child/kid")));
    CHECK(test.living == 3);
  });
}

TEST_CASE("49 a first preStart fails, the second attempt succeeds and the actor answers") {
  under_seeds([](SeededTest& test) {
    int times = 1;
    const Ref boss = test.spawn<Stubborn>("boss");
    const Ref child = test.spawn_under(boss, "child", {.pre_start = failing(times)});
    CHECK(test.answers(child));
    CHECK(test.life_of("child") == "new 0, pre_start 0, new 1, pre_start 1");
    test.fail<Restarting>(child);
    CHECK(test.answers(child));
    CHECK(test.count("child pre_restart 1") == 1);
  });
}

TEST_CASE("50 what is sent while the creation is retried is delivered once it succeeds") {
  under_seeds([](SeededTest& test) {
    int times = 3;
    const Ref boss = test.spawn<Stubborn>("boss");
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      const Ref child =
          ctx.spawn<ScriptedActor>("child", &actor.test(), Script{.pre_start = failing(times)});
      for (int i = 1; i <= 3; ++i) ctx.tell(child, Note{i});
    });
    CHECK(test.came_in_order({"child pre_start 3", "child got 1", "child got 2", "child got 3"}));
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("51 a preRestart that throws is logged, and the restart goes on") {
  under_seeds([](SeededTest& test) {
    const Ref child =
        test.spawn("child", {.pre_restart = [](ScriptedActor&, Context&, const Failure&) {
                     throw Stopping("the hook");
                   }});
    test.fail<Restarting>(child, "the cause");
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
    const auto lines = test.world.events("actor.pre_restart-failed");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "the hook");
    CHECK(test.world.events("actor.failed")[0].field("failure.message") == "the cause");
    CHECK(test.world.events("actor.failed").size() == 1);
  });
}

TEST_CASE("52 after a preRestart that throws the children not yet stopped are stopped") {
  under_seeds([](SeededTest& test) {
    const Ref child =
        test.spawn("child", {.pre_restart = [](ScriptedActor&, Context&, const Failure&) {
                     throw Stopping("the hook");
                   }});
    const Ref kid = test.spawn_under(child, "kid");
    test.fail<Restarting>(child);
    CHECK_FALSE(test.is_alive(kid));
    CHECK(test.life_of("kid") == "new 0, pre_start 0, post_stop 0");
    CHECK(test.came_in_order({"child pre_restart 0", "kid post_stop 0", "child new 1"}));
    CHECK(test.answers(child));
  });
}

TEST_CASE("53 a failing constructor or postRestart of a restart stops by default") {
  for (const bool in_constructor : {true, false}) {
    under_seeds([in_constructor](SeededTest& test) {
      int decisions = 0;
      const Ref boss =
          test.spawn("boss", {.decide = [&](ScriptedActor&, Context&, const Failure& f) {
                       if (++decisions == 2) {
                         CHECK(f.is<PostRestartFailure>());
                         CHECK(f.is<InitializationFailure>());
                         CHECK(f.root_cause().what() == "second life");
                       }
                       return Directive::undecided;
                     }});
      Script script;
      if (in_constructor) {
        script.construct = [](ScriptedActor& actor, Context&) {
          if (actor.number() > 0) throw Restarting("second life");
        };
      } else {
        script.post_restart = [](ScriptedActor&, Context&, const Failure&) {
          throw Restarting("second life");
        };
      }
      const Ref child = test.spawn_under(boss, "child", script);
      const Ref watcher = test.spawn("watcher");
      test.watch(watcher, child);
      test.fail<Restarting>(child, "first life");
      CHECK(decisions == 2);
      CHECK_FALSE(test.is_alive(child));
      CHECK(test.count(ended("watcher", "child", "init-failed")) == 1);
      CHECK(test.count("child post_stop 1") == 0);
    });
  }
}

TEST_CASE("54 a postRestart failure that is restarted is tried again, without preRestart") {
  under_seeds([](SeededTest& test) {
    int times = 1;
    const Ref boss = test.spawn<Stubborn>("boss");
    const Ref child = test.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    test.fail<Restarting>(child);
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, new 2, "
          "post_restart 2");
    CHECK(test.answers(child));
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("55 every attempt is charged to the budget") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<
        Boss<[] { return one_for_one({.max_restarts = 4}).otherwise(Directive::restart); }>>(
        "boss");
    const Ref child = test.spawn_under(
        boss, "child", {.post_restart = [](ScriptedActor&, Context&, const Failure&) {
          throw Restarting("never");
        }});
    test.fail<Restarting>(child);
    CHECK(test.count("child post_restart 4") == 1);
    CHECK(test.count("child new 5") == 0);
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("56 each failed re-creation names the failure it followed, back to the first cause") {
  under_seeds([](SeededTest& test) {
    int times = 3;
    const Ref boss = test.spawn<Stubborn>("boss");
    const Ref child = test.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    test.fail<Restarting>(child, "the first cause");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 4);
    CHECK(failed[0].field("failure.message") == "the first cause");
    CHECK(failed[0].field("failure.follows") == "");
    for (std::size_t i = 1; i < failed.size(); ++i) {
      CHECK(failed[i].field("failure.follows") == failed[i - 1].field("failure.id"));
      CHECK(failed[i].field("failure.id") != failed[i - 1].field("failure.id"));
      CHECK(failed[i].field("failure.message") == "not yet");
    }
    CHECK(test.answers(child));
  });
}

TEST_CASE("57 a postRestart failure that is resumed is restarted instead, with an error line") {
  under_seeds([](SeededTest& test) {
    int times = 2;
    const Ref boss = test.spawn(
        "boss", {.decide = [](ScriptedActor&, Context&, const Failure& failure) {
          return failure.is<PostRestartFailure>() ? Directive::resume : Directive::restart;
        }});
    const Ref child = test.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    test.fail<Restarting>(child);
    CHECK(test.answers(child));
    CHECK(test.count("child post_restart 3") == 1);
    const auto lines = test.world.events("supervisor.resume-became-restart");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user/boss/child");
  });
}

TEST_CASE(
    "58 survivors of a failed re-creation are suspended once, its own children are replaced") {
  under_seeds([](SeededTest& test) {
    int times = 1;
    Ref survivor, addition;
    const Ref boss =
        test.spawn("boss", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     if (failure.is<PostRestartFailure>()) {
                       // 1 once the suspension has arrived
                       CHECK(test.cell(survivor).life.suspensions() <= 1);
                     }
                     return Directive::restart;
                   }});
    Script script{.post_restart = [&](ScriptedActor& actor, Context& ctx, const Failure&) {
      addition = ctx.spawn<ScriptedActor>("addition", &actor.test(), Script{});
      if (times-- <= 0) return;
      ctx.tell(survivor, Note{1});
      ctx.tell(addition, Note{2});
      throw Restarting("not yet");
    }};
    script.keeps_children = true;
    const Ref child = test.spawn_under(boss, "child", script);
    survivor = test.spawn_under(child, "survivor");
    test.fail<Restarting>(child);
    CHECK(
        test.came_in_order({"child post_restart 2", "survivor post_restart 1", "survivor got 1"}));
    CHECK(test.count("survivor pre_restart 0") == 1);
    CHECK(test.count("addition got 2") == 0);  // was suspended, and stopped for the next attempt
    CHECK(test.count("addition new 1") == 1);
    for (const Ref each : {child, survivor, addition}) {
      CHECK(test.cell(each).life.suspensions() == 0);
      CHECK(test.answers(each));
    }
  });
}

TEST_CASE("59 after a re-creation that failed and then succeeded, later failures are ordinary") {
  under_seeds([](SeededTest& test) {
    int times = 1;
    const Ref boss =
        test.spawn("boss", {.decide = [](ScriptedActor&, Context&, const Failure& failure) {
                     return failure.is<Resuming>() ? Directive::resume : Directive::restart;
                   }});
    const Ref child = test.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    test.fail<Restarting>(child);
    REQUIRE(test.answers(child));
    test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 42; });
    test.fail<Resuming>(child);
    CHECK(test.value(child) == 42);
    CHECK(test.world.events("supervisor.resume-became-restart").empty());
    test.fail<Restarting>(child);
    CHECK(test.count("child pre_restart 2") == 1);
    CHECK(test.value(child) == 0);
  });
}

TEST_CASE("60 a postStop that throws is logged, and the termination completes") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref child = test.spawn_under(
        boss, "child", {.post_stop = [](ScriptedActor&, Context&) { throw Stopping("the hook"); }});
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.stop(boss);
    CHECK_FALSE(test.is_alive(child));
    CHECK_FALSE(test.is_alive(boss));
    CHECK(test.count(ended("watcher", "child", "parent")) == 1);
    const auto lines = test.world.events("actor.post_stop-failed");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "the hook");
  });
}

TEST_CASE("61 postStop can reply to the sender of the message that caused the stop") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    Script script{
        .question = [](ScriptedActor&, Context&, const Question&) { throw Stopping("boom"); }};
    script.post_stop = [&](ScriptedActor&, Context& ctx) {
      CHECK(ctx.sender() == asker);
      const Question* const asked = ctx.message_as<Question>();
      CHECK(asked != nullptr);
      if (asked != nullptr) ctx.reply(Answer{asked->n});
    };
    const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child", script);
    test.world.send(child.value, Question{7}, asker.value);
    CHECK(test.count("asker answer 7") == 1);
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("62 what childTerminated throws is the supervisor's failure") {
  under_seeds([](SeededTest& test) {
    std::string cause;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     cause = failure.what();
                     return Directive::restart;
                   }});
    const Ref boss =
        test.spawn_under(top, "boss", {.child_terminated = [](ScriptedActor& actor, Context&, Ref) {
                           if (actor.number() == 0) throw Stopping("the hook");
                         }});
    const Ref child = test.spawn_under(boss, "child");
    test.stop(child);
    CHECK(cause == "the hook");
    CHECK(test.world.incarnation(boss.value) == 1);
    CHECK(test.answers(boss));
    CHECK(test.answers(test.spawn_under(boss, "child")));
  });
}

TEST_CASE("62 what childTerminated throws while the supervisor stops is only logged") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss", {.child_terminated = [](ScriptedActor&, Context&, Ref) {
                                  throw Stopping("the hook");
                                }});
    test.spawn_under(boss, "one");
    test.spawn_under(boss, "two");
    test.stop(boss);
    CHECK_FALSE(test.is_alive(boss));
    CHECK(test.count("boss post_stop 0") == 1);
    CHECK(test.world.events("actor.child_terminated-failed").size() == 2);
    CHECK(test.world.events("actor.failed").empty());
  });
}

TEST_CASE("64 a create that reports a failure is an initialization failure") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref child =
        test.spawn_under(boss, "child", {.construct = [](ScriptedActor&, Context& ctx) {
                           ctx.fail<Stopping>("reported", {{"k", 1}});
                         }});
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.life_of("child") == "new 0");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
    CHECK(failed[0].field("failure.cause.type") == "actord::conformance::Stopping");
    CHECK(failed[0].field("failure.message") == "reported");
    CHECK(failed[0].field("failure.details.k") == "1");
  });
}

TEST_CASE("65 the failure of a child whose parent is stopping is not judged") {
  under_seeds([](SeededTest& test) {
    int decisions = 0;
    const Ref boss = test.spawn("boss", deciding(Directive::restart, decisions));
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(child, "slow");
    test.queue_failure<Restarting>(child);
    test.send_system(boss, actor::SystemMessage::terminate());
    test.world.run();
    CHECK(decisions == 0);
    CHECK_FALSE(test.is_alive(child));
    CHECK_FALSE(test.is_alive(boss));
    CHECK(test.count("child post_stop 0") == 1);
    CHECK(test.count("child new 1") == 0);
    CHECK(test.world.events("actor.failed").empty());
  });
}

TEST_CASE("66 a child created while its parent is suspended runs when the parent does") {
  under_seeds([](SeededTest& test) {
    Ref child;
    const Ref boss = test.spawn("boss");
    test.queue(boss, [&](ScriptedActor& actor, Context& ctx) {
      actor.test().send_system(ctx.self(), actor::SystemMessage::suspend());
    });
    test.world.run();
    auto props = test.world.system().props_of(detail::props_of<ScriptedActor>(&test, Script{}));
    REQUIRE(props);
    auto request = base::IntrusivePtr<actor::SpawnRequest>(new actor::SpawnRequest);
    request->name = "child";
    request->props = std::move(*props);
    test.send_system(boss, actor::SystemMessage::spawn(request));
    test.world.run();
    child = {request->ref};
    CHECK(test.cell(child).life.suspensions() == 1);
    test.note(child, 1);
    test.world.run();
    CHECK(test.count("child got 1") == 0);
    test.world.send_system(boss.value, actor::SystemMessage::resume());
    CHECK(test.count("child got 1") == 1);
    CHECK(test.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("66 a child created in preRestart waits for the restart and takes part in it") {
  under_seeds([](SeededTest& test) {
    Ref late;
    const Ref boss =
        test.spawn("boss", {.pre_restart = [&](ScriptedActor& actor, Context& ctx, const Failure&) {
                     late = ctx.spawn<ScriptedActor>("late", &actor.test(), Script{});
                     ctx.tell(late, Note{1});
                   }});
    test.fail<Restarting>(boss);
    CHECK(test.came_in_order({"boss post_restart 1", "late got 1"}));
    CHECK(test.cell(late).life.suspensions() == 0);
    CHECK(test.answers(late));
  });
}

}  // namespace actord::conformance
