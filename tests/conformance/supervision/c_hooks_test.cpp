// SPDX-License-Identifier: Apache-2.0
//
// Failures inside hooks and construction: items 41 to 66.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// Restarts what could not be created, too.
using Stubborn = Boss<[] { return one_for_one().otherwise(Directive::restart); }>;
using Easygoing = Boss<[] { return one_for_one().otherwise(Directive::resume); }>;

/// A part whose hook fails the first `times` times.
Part::Does failing(int& times) {
  return [&times](Puppet&, Context&) {
    if (times-- > 0) throw Restarting("not yet");
  };
}
Part::Mends failing_to_mend(int& times) {
  return [&times](Puppet&, Context&, const Failure&) {
    if (times-- > 0) throw Restarting("not yet");
  };
}

}  // namespace

TEST_CASE("41 a constructor that throws is an initialization failure, and stops by default") {
  under_seeds([](Play& play) {
    int decisions = 0;
    const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context& ctx, const Failure& f) {
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
    const Ref child = play.spawn_under(
        boss, "child", {.construct = [](Puppet&, Context&) { throw Restarting("no way"); }});
    CHECK(decisions == 1);
    CHECK_FALSE(play.is_alive(child));
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("actor.path") == "/user/boss/child");
    CHECK(failed[0].field("failure.message") == "no way");
    CHECK(failed[0].field("failure.phase") == "constructor");
    CHECK(failed[0].field("decision.directive") == "stop");
  });
}

TEST_CASE("42 a preStart that throws is an initialization failure, and stops by default") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    const Ref child = play.spawn_under(
        boss, "child", {.pre_start = [](Puppet&, Context&) { throw Restarting("no way"); }});
    CHECK_FALSE(play.is_alive(child));
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
    CHECK(failed[0].field("failure.cause.type") == "actord::conformance::Restarting");
    CHECK(failed[0].field("failure.message") == "no way");
    CHECK(failed[0].field("failure.phase") == "pre_start");
  });
}

TEST_CASE("43 an instance whose creation failed sees neither postStop nor preRestart") {
  for (const bool is_stubborn : {false, true}) {
    under_seeds([is_stubborn](Play& play) {
      int constructions = 1, starts = 1;
      const Ref boss = is_stubborn ? play.spawn<Stubborn>("boss") : play.spawn("boss");
      play.spawn_under(boss, "one", {.construct = failing(constructions)});
      play.spawn_under(boss, "two", {.pre_start = failing(starts)});
      CHECK(play.life_of("one") == (is_stubborn ? "new 0, new 1, pre_start 1" : "new 0"));
      CHECK(play.life_of("two") ==
            (is_stubborn ? "new 0, pre_start 0, new 1, pre_start 1" : "new 0, pre_start 0"));
    });
  }
}

TEST_CASE("44 created in vain and stopped: no zombie, watchers told, its mail dead letters") {
  under_seeds([](Play& play) {
    Ref child;
    const Ref boss = play.spawn("boss");
    play.perform(boss, [&](Puppet& puppet, Context& ctx) {
      const Part part{.pre_start = [](Puppet&, Context&) { throw Stopping("no way"); }};
      child = ctx.spawn<Puppet>("child", &puppet.play(), part);
      ctx.watch(child);
      ctx.tell(child, Note{1});
      ctx.tell(child, Note{2});
    });
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.count(ended("boss", "child", "init-failed")) == 1);
    CHECK(play.world.events("deadletter").size() == 2);
    CHECK(play.find("/user/boss/child") == Ref{});
    CHECK(play.answers(play.spawn_under(boss, "child")));
  });
}

TEST_CASE("45 created in vain and restarted: a new creation, without postRestart") {
  under_seeds([](Play& play) {
    int times = 5;
    const Ref boss = play.spawn<Stubborn>("boss");
    const Ref child = play.spawn_under(boss, "child", {.construct = failing(times)});
    CHECK(play.life_of("child") == "new 0, new 1, new 2, new 3, new 4, new 5, pre_start 5");
    CHECK(play.answers(child));
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("46 created in vain and resumed: a new creation too") {
  under_seeds([](Play& play) {
    int constructions = 2, starts = 2;
    const Ref boss = play.spawn<Easygoing>("boss");
    const Ref child = play.spawn_under(
        boss, "child", {.construct = failing(constructions), .pre_start = failing(starts)});
    CHECK(play.life_of("child") ==
          "new 0, new 1, new 2, pre_start 2, new 3, pre_start 3, new 4, pre_start 4");
    CHECK(play.answers(child));
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("47 a preStart that always throws is tried as often as the budget says, and once more") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<
        Boss<[] { return one_for_one({.max_restarts = 3}).otherwise(Directive::restart); }>>(
        "boss");
    const Ref child = play.spawn_under(
        boss, "child", {.pre_start = [](Puppet&, Context&) { throw Restarting("never"); }});
    CHECK(play.life_of("child") ==
          "new 0, pre_start 0, new 1, pre_start 1, new 2, pre_start 2, new 3, pre_start 3");
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("48 children of a failed constructor are stopped and awaited before the next attempt") {
  under_seeds([](Play& play) {
    int times = 2;
    const Part part{.construct = [&](Puppet& puppet, Context& ctx) {
      const Ref kid = ctx.spawn<Puppet>("kid", &puppet.play(), Part{});
      ctx.tell(kid, Note{puppet.number()});
      if (times-- > 0) throw Restarting("not yet");
    }};
    const Ref boss = play.spawn<Stubborn>("boss");
    const Ref child = play.spawn_under(boss, "child", part);
    CHECK(play.life_of("child") == "new 0, new 1, new 2, pre_start 2");
    CHECK(play.came_in_order({"child new 0", "child new 1", "child new 2", "kid got 2"}));
    CHECK(play.answers(child));
    CHECK(play.answers(play.find("/user/boss/child/kid")));
    CHECK(play.living == 3);
  });
}

TEST_CASE("49 a first preStart fails, the second attempt succeeds and the actor answers") {
  under_seeds([](Play& play) {
    int times = 1;
    const Ref boss = play.spawn<Stubborn>("boss");
    const Ref child = play.spawn_under(boss, "child", {.pre_start = failing(times)});
    CHECK(play.answers(child));
    CHECK(play.life_of("child") == "new 0, pre_start 0, new 1, pre_start 1");
    play.fail<Restarting>(child);
    CHECK(play.answers(child));
    CHECK(play.count("child pre_restart 1") == 1);
  });
}

TEST_CASE("50 what is sent while the creation is retried is delivered once it succeeds") {
  under_seeds([](Play& play) {
    int times = 3;
    const Ref boss = play.spawn<Stubborn>("boss");
    play.perform(boss, [&](Puppet& puppet, Context& ctx) {
      const Ref child =
          ctx.spawn<Puppet>("child", &puppet.play(), Part{.pre_start = failing(times)});
      for (int i = 1; i <= 3; ++i) ctx.tell(child, Note{i});
    });
    CHECK(play.came_in_order({"child pre_start 3", "child got 1", "child got 2", "child got 3"}));
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("51 a preRestart that throws is logged, and the restart goes on") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child", {.pre_restart = [](Puppet&, Context&, const Failure&) {
                                   throw Stopping("the hook");
                                 }});
    play.fail<Restarting>(child, "the cause");
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(play.answers(child));
    const auto lines = play.world.events("actor.pre_restart-failed");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "the hook");
    CHECK(play.world.events("actor.failed")[0].field("failure.message") == "the cause");
    CHECK(play.world.events("actor.failed").size() == 1);
  });
}

TEST_CASE("52 after a preRestart that throws the children not yet stopped are stopped") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child", {.pre_restart = [](Puppet&, Context&, const Failure&) {
                                   throw Stopping("the hook");
                                 }});
    const Ref kid = play.spawn_under(child, "kid");
    play.fail<Restarting>(child);
    CHECK_FALSE(play.is_alive(kid));
    CHECK(play.life_of("kid") == "new 0, pre_start 0, post_stop 0");
    CHECK(play.came_in_order({"child pre_restart 0", "kid post_stop 0", "child new 1"}));
    CHECK(play.answers(child));
  });
}

TEST_CASE("53 a failing constructor or postRestart of a restart stops by default") {
  for (const bool in_constructor : {true, false}) {
    under_seeds([in_constructor](Play& play) {
      int decisions = 0;
      const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure& f) {
                                    if (++decisions == 2) {
                                      CHECK(f.is<PostRestartFailure>());
                                      CHECK(f.is<InitializationFailure>());
                                      CHECK(f.root_cause().what() == "second life");
                                    }
                                    return Directive::undecided;
                                  }});
      Part part;
      if (in_constructor) {
        part.construct = [](Puppet& puppet, Context&) {
          if (puppet.number() > 0) throw Restarting("second life");
        };
      } else {
        part.post_restart = [](Puppet&, Context&, const Failure&) {
          throw Restarting("second life");
        };
      }
      const Ref child = play.spawn_under(boss, "child", part);
      const Ref watcher = play.spawn("watcher");
      play.watch(watcher, child);
      play.fail<Restarting>(child, "first life");
      CHECK(decisions == 2);
      CHECK_FALSE(play.is_alive(child));
      CHECK(play.count(ended("watcher", "child", "init-failed")) == 1);
      CHECK(play.count("child post_stop 1") == 0);
    });
  }
}

TEST_CASE("54 a postRestart failure that is restarted is tried again, without preRestart") {
  under_seeds([](Play& play) {
    int times = 1;
    const Ref boss = play.spawn<Stubborn>("boss");
    const Ref child = play.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    play.fail<Restarting>(child);
    CHECK(play.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, new 2, "
          "post_restart 2");
    CHECK(play.answers(child));
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("55 every attempt is charged to the budget") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<
        Boss<[] { return one_for_one({.max_restarts = 4}).otherwise(Directive::restart); }>>(
        "boss");
    const Ref child = play.spawn_under(
        boss, "child",
        {.post_restart = [](Puppet&, Context&, const Failure&) { throw Restarting("never"); }});
    play.fail<Restarting>(child);
    CHECK(play.count("child post_restart 4") == 1);
    CHECK(play.count("child new 5") == 0);
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("56 each failed re-creation names the failure it followed, back to the first cause") {
  under_seeds([](Play& play) {
    int times = 3;
    const Ref boss = play.spawn<Stubborn>("boss");
    const Ref child = play.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    play.fail<Restarting>(child, "the first cause");
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 4);
    CHECK(failed[0].field("failure.message") == "the first cause");
    CHECK(failed[0].field("failure.follows") == "");
    for (std::size_t i = 1; i < failed.size(); ++i) {
      CHECK(failed[i].field("failure.follows") == failed[i - 1].field("failure.id"));
      CHECK(failed[i].field("failure.id") != failed[i - 1].field("failure.id"));
      CHECK(failed[i].field("failure.message") == "not yet");
    }
    CHECK(play.answers(child));
  });
}

TEST_CASE("57 a postRestart failure that is resumed is restarted instead, with an error line") {
  under_seeds([](Play& play) {
    int times = 2;
    const Ref boss = play.spawn("boss", {.decide = [](Puppet&, Context&, const Failure& failure) {
                                  return failure.is<PostRestartFailure>() ? Directive::resume
                                                                          : Directive::restart;
                                }});
    const Ref child = play.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    play.fail<Restarting>(child);
    CHECK(play.answers(child));
    CHECK(play.count("child post_restart 3") == 1);
    const auto lines = play.world.events("supervisor.resume-became-restart");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user/boss/child");
  });
}

TEST_CASE(
    "58 survivors of a failed re-creation are suspended once, its own children are replaced") {
  under_seeds([](Play& play) {
    int times = 1;
    Ref survivor, addition;
    const Ref boss =
        play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                     if (failure.is<PostRestartFailure>()) {
                       CHECK(play.cell(survivor).life.suspensions() <= 1);  // once it has arrived
                     }
                     return Directive::restart;
                   }});
    Part part{.post_restart = [&](Puppet& puppet, Context& ctx, const Failure&) {
      addition = ctx.spawn<Puppet>("addition", &puppet.play(), Part{});
      if (times-- <= 0) return;
      ctx.tell(survivor, Note{1});
      ctx.tell(addition, Note{2});
      throw Restarting("not yet");
    }};
    part.keeps_children = true;
    const Ref child = play.spawn_under(boss, "child", part);
    survivor = play.spawn_under(child, "survivor");
    play.fail<Restarting>(child);
    CHECK(
        play.came_in_order({"child post_restart 2", "survivor post_restart 1", "survivor got 1"}));
    CHECK(play.count("survivor pre_restart 0") == 1);
    CHECK(play.count("addition got 2") == 0);  // it was suspended, and stopped for the next attempt
    CHECK(play.count("addition new 1") == 1);
    for (const Ref each : {child, survivor, addition}) {
      CHECK(play.cell(each).life.suspensions() == 0);
      CHECK(play.answers(each));
    }
  });
}

TEST_CASE("59 after a re-creation that failed and then succeeded, later failures are ordinary") {
  under_seeds([](Play& play) {
    int times = 1;
    const Ref boss =
        play.spawn("boss", {.decide = [](Puppet&, Context&, const Failure& failure) {
                     return failure.is<Resuming>() ? Directive::resume : Directive::restart;
                   }});
    const Ref child = play.spawn_under(boss, "child", {.post_restart = failing_to_mend(times)});
    play.fail<Restarting>(child);
    REQUIRE(play.answers(child));
    play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 42; });
    play.fail<Resuming>(child);
    CHECK(play.value(child) == 42);
    CHECK(play.world.events("supervisor.resume-became-restart").empty());
    play.fail<Restarting>(child);
    CHECK(play.count("child pre_restart 2") == 1);
    CHECK(play.value(child) == 0);
  });
}

TEST_CASE("60 a postStop that throws is logged, and the termination completes") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    const Ref child = play.spawn_under(
        boss, "child", {.post_stop = [](Puppet&, Context&) { throw Stopping("the hook"); }});
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.stop(boss);
    CHECK_FALSE(play.is_alive(child));
    CHECK_FALSE(play.is_alive(boss));
    CHECK(play.count(ended("watcher", "child", "parent")) == 1);
    const auto lines = play.world.events("actor.post_stop-failed");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "the hook");
  });
}

TEST_CASE("61 postStop can reply to the sender of the message that caused the stop") {
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    Part part{.question = [](Puppet&, Context&, const Question&) { throw Stopping("boom"); }};
    part.post_stop = [&](Puppet&, Context& ctx) {
      CHECK(ctx.sender() == asker);
      const Question* const asked = ctx.message_as<Question>();
      CHECK(asked != nullptr);
      if (asked != nullptr) ctx.reply(Answer{asked->n});
    };
    const Ref child = play.spawn_under(play.spawn<Judge>("boss"), "child", part);
    play.world.send(child.value, Question{7}, asker.value);
    CHECK(play.count("asker answer 7") == 1);
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("62 what childTerminated throws is the supervisor's failure") {
  under_seeds([](Play& play) {
    std::string cause;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                 cause = failure.what();
                                 return Directive::restart;
                               }});
    const Ref boss =
        play.spawn_under(top, "boss", {.child_terminated = [](Puppet& puppet, Context&, Ref) {
                           if (puppet.number() == 0) throw Stopping("the hook");
                         }});
    const Ref child = play.spawn_under(boss, "child");
    play.stop(child);
    CHECK(cause == "the hook");
    CHECK(play.world.incarnation(boss.value) == 1);
    CHECK(play.answers(boss));
    CHECK(play.answers(play.spawn_under(boss, "child")));
  });
}

TEST_CASE("62 what childTerminated throws while the supervisor stops is only logged") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn(
        "boss", {.child_terminated = [](Puppet&, Context&, Ref) { throw Stopping("the hook"); }});
    play.spawn_under(boss, "one");
    play.spawn_under(boss, "two");
    play.stop(boss);
    CHECK_FALSE(play.is_alive(boss));
    CHECK(play.count("boss post_stop 0") == 1);
    CHECK(play.world.events("actor.child_terminated-failed").size() == 2);
    CHECK(play.world.events("actor.failed").empty());
  });
}

TEST_CASE("64 a create that reports a failure is an initialization failure") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    const Ref child = play.spawn_under(boss, "child", {.construct = [](Puppet&, Context& ctx) {
                                         ctx.fail<Stopping>("reported", {{"k", 1}});
                                       }});
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.life_of("child") == "new 0");
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
    CHECK(failed[0].field("failure.cause.type") == "actord::conformance::Stopping");
    CHECK(failed[0].field("failure.message") == "reported");
    CHECK(failed[0].field("failure.details.k") == "1");
  });
}

TEST_CASE("65 the failure of a child whose parent is stopping is not judged") {
  under_seeds([](Play& play) {
    int decisions = 0;
    const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure&) {
                                  ++decisions;
                                  return Directive::restart;
                                }});
    const Ref child = play.spawn_under(boss, "child");
    play.spawn_under(child, "slow");
    play.queue_failure<Restarting>(child);
    play.order(boss, actor::Order::terminate);
    play.world.run();
    CHECK(decisions == 0);
    CHECK_FALSE(play.is_alive(child));
    CHECK_FALSE(play.is_alive(boss));
    CHECK(play.count("child post_stop 0") == 1);
    CHECK(play.count("child new 1") == 0);
    CHECK(play.world.events("actor.failed").empty());
  });
}

TEST_CASE("66 a child created while its parent is suspended runs when the parent does") {
  under_seeds([](Play& play) {
    Ref child;
    const Ref boss = play.spawn("boss");
    play.queue(boss, [&](Puppet& puppet, Context& ctx) {
      puppet.play().order(ctx.self(), actor::Order::suspend);
    });
    play.world.run();
    actor::SystemBody body;
    auto props = play.world.system().props_of(detail::props_of<Puppet>(&play, Part{}));
    REQUIRE(props);
    auto request = base::IntrusivePtr<actor::SpawnRequest>(new actor::SpawnRequest);
    request->name = "child";
    request->props = std::move(*props);
    body.request = base::IntrusivePtr<actor::SpawnRequest>(request).release();
    play.order(boss, actor::Order::spawn, body);
    play.world.run();
    child = {request->ref};
    CHECK(play.cell(child).life.suspensions() == 1);
    play.note(child, 1);
    play.world.run();
    CHECK(play.count("child got 1") == 0);
    play.world.order(boss.value, actor::Order::resume);
    CHECK(play.count("child got 1") == 1);
    CHECK(play.cell(child).life.suspensions() == 0);
  });
}

TEST_CASE("66 a child created in preRestart waits for the restart and takes part in it") {
  under_seeds([](Play& play) {
    Ref late;
    const Ref boss =
        play.spawn("boss", {.pre_restart = [&](Puppet& puppet, Context& ctx, const Failure&) {
                     late = ctx.spawn<Puppet>("late", &puppet.play(), Part{});
                     ctx.tell(late, Note{1});
                   }});
    play.fail<Restarting>(boss);
    CHECK(play.came_in_order({"boss post_restart 1", "late got 1"}));
    CHECK(play.cell(late).life.suspensions() == 0);
    CHECK(play.answers(late));
  });
}

}  // namespace actord::conformance
