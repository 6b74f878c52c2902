// SPDX-License-Identifier: Apache-2.0
//
// The log lines about failures: item 179.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// How many lines about failures have this level.
int lines(SeededTest& test, log::Level level) {
  int n = 0;
  for (const auto& event : test.world.events()) {
    if (event.level == level && event.name.starts_with("actor.failed")) ++n;
  }
  return n;
}

using Silent = Boss<[] { return one_for_one({.max_restarts = 1}).silent(); }>;
using Levelled = Boss<[] {
  return one_for_one()
      .on<Restarting>(Directive::restart, Level::info)
      .on<Resuming>(Directive::resume, Level::error)
      .otherwise(Directive::stop);
}>;

class Chronicler : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void log_failure(Context& ctx, const Failure& failure, Directive directive) override {
    record("logs " + std::string{failure.what()} + " of " + test().name_of(ctx.sender()) +
           (directive == Directive::restart ? " restart" : " other"));
    ctx.log(Level::info, "in my own words");
  }
};

}  // namespace

TEST_CASE("179a a resume is one warning, a restart and a stop one error each") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
    test.fail<Resuming>(child);
    CHECK(lines(test, log::Level::warning) == 1);
    CHECK(lines(test, log::Level::error) == 0);
    test.fail<Restarting>(child);
    CHECK(lines(test, log::Level::error) == 1);
    test.fail<Stopping>(child);
    CHECK(lines(test, log::Level::error) == 2);
    CHECK(lines(test, log::Level::warning) == 1);
    for (const auto& line : test.world.events("actor.failed"))
      CHECK(line.field("failure.type") != "");
  });
}

TEST_CASE("179a an escalation is silent, and the level that decides logs") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top", {.keeps_children = true});
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref manager = test.spawn_under<Judge>(boss, "manager");
    const Ref child = test.spawn_under(manager, "child");
    test.fail<Escalating>(child);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("supervisor.path") == "/user/top");
    CHECK(failed[0].field("decision.path.0.supervisor") == "/user/top/boss/manager");
    CHECK(failed[0].field("decision.path.1.supervisor") == "/user/top/boss");
    CHECK(failed[0].field("decision.path.1.directive") == "escalate");
    CHECK(failed[0].field("decision.path.2.supervisor") == "/user/top");
    CHECK(failed[0].field("decision.directive") == "restart");
  });
}

TEST_CASE(
    "179b the source is the failed child's path, the class the strategy, the text the cause") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    test.fail<Restarting>(test.spawn_under(boss, "child"), "the cause");
    test.spawn_under(boss, "stillborn", {.pre_start = [](ScriptedActor&, Context&) {
                       throw Stopping("the inner cause");
                     }});
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].field("actor.path") == "/user/boss/child");
    CHECK(failed[0].field("supervisor.strategy") == "code");
    CHECK(failed[0].field("supervisor.path") == "/user/boss");
    CHECK(failed[0].field("failure.message") == "the cause");
    CHECK(failed[0].text == "the cause -> restart");
    CHECK(failed[0].field("decision.rule") == "actord::conformance::Restarting");
    CHECK(failed[0].field("message.type") == "play.Act/1");
    CHECK(failed[1].field("failure.message") == "the inner cause");
    CHECK(failed[1].text == "the inner cause -> stop");
    CHECK(failed[1].field("failure.id") != failed[0].field("failure.id"));
  });
}

TEST_CASE("179b the outcome carries the id of the failure") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref kept = test.spawn_under(boss, "kept", {.keeps_children = true});
    test.spawn_under(kept, "below");
    test.fail<Resuming>(child);
    test.fail<Restarting>(kept);
    test.fail<Stopping>(child);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 3);
    CHECK(test.world.events("actor.resumed")[0].field("failure.id") ==
          failed[0].field("failure.id"));
    const auto restarted = test.world.events("actor.restarted");
    REQUIRE(restarted.size() == 2);
    CHECK(restarted[0].field("failure.id") == failed[1].field("failure.id"));
    CHECK(restarted[0].field("actor.incarnation") == "1");
    CHECK(restarted[1].field("actor.path") == "/user/boss/kept/below");
    CHECK(restarted[1].field("collateral_of") == failed[1].field("failure.id"));
    CHECK(test.world.events("actor.stopped")[0].field("failure.id") ==
          failed[2].field("failure.id"));
    CHECK(test.world.events("actor.stopped")[0].field("reason") == "failed");
  });
}

TEST_CASE("179b the ids of failures are in the order of time, whichever threads run the actors") {
  SeededTest::Setup setup;
  setup.options.workers = 4;
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        for (int i = 0; i < 10; ++i)
          test.fail<Stopping>(test.spawn_under(boss, "child-" + std::to_string(i)));
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 10);
        for (std::size_t i = 0; i < 9; ++i)
          CHECK(failed[i].field("failure.id").ends_with("-" + std::to_string(i + 1)));
      },
      setup);
}

TEST_CASE("179c with logging off nothing is said, and all is done") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Silent>("boss"), "child");
    test.world.forget_events();
    test.fail<Restarting>(child);
    CHECK(test.world.incarnation(child.value) == 1);
    test.fail<Restarting>(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.events().empty());
  });
}

TEST_CASE("179d a rule's own level is the line's, with the cause all the same") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn_under(test.spawn<Levelled>("boss"), "child");
    test.fail<Restarting>(child);
    test.fail<Resuming>(child);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].level == log::Level::info);
    CHECK(failed[0].field("failure.type") == "actord::conformance::Restarting");
    CHECK(failed[0].field("failure.message") == "boom");
    CHECK(failed[1].level == log::Level::error);
  });
}

TEST_CASE("179e an author's own log_failure replaces the line, and a decider may log itself") {
  under_seeds([](SeededTest& test) {
    const Ref boss =
        test.spawn<Chronicler>("boss", {.decide = [](ScriptedActor&, Context& ctx, const Failure&) {
                                 ctx.event(Level::info, "test.judged", "judged");
                                 return Directive::undecided;
                               }});
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    CHECK(test.count("boss logs boom of child restart") == 1);
    CHECK(test.world.events("actor.failed").empty());
    CHECK(test.world.events("test.judged").size() == 1);
    CHECK(test.answers(child));
  });
}

TEST_CASE("179e a log_failure that throws is logged itself and changes no verdict") {
  class Clumsy : public ScriptedActor {
   public:
    using ScriptedActor::ScriptedActor;
    void log_failure(Context&, const Failure&, Directive) override { throw Stopping("the hook"); }
  };
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Clumsy>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
    CHECK(test.world.incarnation(boss.value) == 0);
    CHECK(test.world.events("actor.log_failure-failed").size() == 1);
  });
}

TEST_CASE("179f a log sink that throws stops neither supervision nor what is logged later") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref one = test.spawn_under(boss, "one"), two = test.spawn_under(boss, "two");
    test.world.forget_events();
    log::Hub& hub = test.world.system().log;
    int thrown = 0;
    const auto drain_into_failing_sink = [&] {
      try {
        hub.drain_all([](const log::Record&) { throw std::runtime_error("the disk is full"); });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
    };
    test.queue_failure<Restarting>(one);
    while (test.world.step()) drain_into_failing_sink();
    CHECK(thrown > 0);
    CHECK(test.world.incarnation(one.value) == 1);
    CHECK(test.answers(one));
    test.fail<Stopping>(two);
    CHECK_FALSE(test.is_alive(two));
    CHECK(test.world.events("actor.failed").size() == 2);
    CHECK(test.world.events("actor.restarted").size() == 1);
    CHECK(test.world.events("actor.stopped").size() == 1);
  });
}

}  // namespace actord::conformance
