// SPDX-License-Identifier: Apache-2.0
//
// Default, stopping and configured strategies: items 91, 92, 94 and 97.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// A world with this strategy for /user.
SeededTest::Setup guarded_by(const actor::Strategy& strategy) {
  SeededTest::Setup setup;
  setup.before_start = [strategy](SeededTest& test) { test.user.options.strategy = strategy; };
  return setup;
}

}  // namespace

TEST_CASE("91 without a strategy the default one holds") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    for (int i = 0; i < 20; ++i) test.fail<Stopping>(child);
    CHECK(test.world.incarnation(child.value) == 20);
    CHECK(test.answers(child));
    const Ref bystander = test.spawn("bystander");
    CHECK(test.world.incarnation(bystander.value) == 0);
    test.world.send(child.value, Kill{});
    CHECK_FALSE(test.is_alive(child));
    const Ref stillborn = test.spawn(
        "stillborn", {.construct = [](ScriptedActor&, Context&) { throw Stopping("no"); }});
    CHECK_FALSE(test.is_alive(stillborn));
    const Ref bound = test.spawn<Bound>("bound");
    test.watch(bound, bystander);
    test.stop(bystander);
    CHECK_FALSE(test.is_alive(bound));
    CHECK_FALSE(test.world.has_stopped());
  });
}

TEST_CASE("92 under the stopping strategy a top-level actor that throws is not restarted") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        const Ref watcher = test.spawn("watcher");
        test.watch(watcher, child);
        test.fail<Restarting>(child);
        CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated child confirmed failed");
        CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
        test.world.send(test.spawn("killed").value, Kill{});
        CHECK(test.answers(watcher));
      },
      guarded_by(actor::stopping_strategy()));
}

TEST_CASE("92 the stopping strategy escalates what is no exception") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        test.perform(child, [](ScriptedActor&, Context&) { throw 42; });
        CHECK(test.world.has_stopped());
      },
      guarded_by(actor::stopping_strategy()));
}

TEST_CASE("94 a strategy that always escalates ends the system at the first failure") {
  actor::Strategy escalating;
  escalating.name = "escalating";
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        test.spawn("other");
        test.fail<Restarting>(child);
        CHECK(test.world.has_stopped());
        CHECK(test.world.system().termination_cause().kind ==
              system::TerminationCause::Kind::guardian_failed);
        CHECK(test.world.system().termination_cause().path == "/user");
        CHECK(test.count("child post_stop 0") == 1);
        CHECK(test.count("other post_stop 0") == 1);
      },
      guarded_by(escalating));
}

TEST_CASE("97 what is no exception escalates by default") {
  under_seeds([](SeededTest& test) {
    std::string type;
    const Ref top =
        test.spawn("top", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     type = failure.type();
                     CHECK(failure.is_foreign());
                     CHECK(failure.is<ForeignException>());
                     return Directive::resume;
                   }});
    const Ref boss = test.spawn_under(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.perform(child, [](ScriptedActor&, Context&) { throw "a text"; });
    CHECK(type == "char const*");
    CHECK(test.answers(child));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("decision.path.0.supervisor") == "/user/top/boss");
  });
}

}  // namespace actord::conformance
