// SPDX-License-Identifier: Apache-2.0
//
// Default, stopping and configured strategies: items 91, 92, 94 and 97.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// A world whose /user judges so.
Play::Setup guarded_by(const actor::Strategy& strategy) {
  Play::Setup setup;
  setup.before_start = [strategy](Play& play) { play.user.strategy = strategy; };
  return setup;
}

}  // namespace

TEST_CASE("91 without a strategy the default one holds") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    for (int i = 0; i < 20; ++i) play.fail<Stopping>(child);
    CHECK(play.world.incarnation(child.value) == 20);
    CHECK(play.answers(child));
    const Ref bystander = play.spawn("bystander");
    CHECK(play.world.incarnation(bystander.value) == 0);
    play.world.send(child.value, Kill{});
    CHECK_FALSE(play.is_alive(child));
    const Ref stillborn =
        play.spawn("stillborn", {.construct = [](Puppet&, Context&) { throw Stopping("no"); }});
    CHECK_FALSE(play.is_alive(stillborn));
    const Ref bound = play.spawn<Bound>("bound");
    play.watch(bound, bystander);
    play.stop(bystander);
    CHECK_FALSE(play.is_alive(bound));
    CHECK_FALSE(play.world.has_stopped());
  });
}

TEST_CASE("92 under the stopping strategy a top-level actor that throws is not restarted") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        const Ref watcher = play.spawn("watcher");
        play.watch(watcher, child);
        play.fail<Restarting>(child);
        CHECK(play.life_of("watcher") == "new 0, pre_start 0, terminated child confirmed failed");
        CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
        play.world.send(play.spawn("killed").value, Kill{});
        CHECK(play.answers(watcher));
      },
      guarded_by(actor::stopping_strategy()));
}

TEST_CASE("92 the stopping strategy escalates what is no exception") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        play.perform(child, [](Puppet&, Context&) { throw 42; });
        CHECK(play.world.has_stopped());
      },
      guarded_by(actor::stopping_strategy()));
}

TEST_CASE("94 a strategy that always escalates ends the system at the first failure") {
  actor::Strategy escalating;
  escalating.name = "escalating";
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        play.spawn("other");
        play.fail<Restarting>(child);
        CHECK(play.world.has_stopped());
        CHECK(play.world.system().ending().kind == system::Ending::Kind::guardian_failed);
        CHECK(play.world.system().ending().path == "/user");
        CHECK(play.count("child post_stop 0") == 1);
        CHECK(play.count("other post_stop 0") == 1);
      },
      guarded_by(escalating));
}

TEST_CASE("97 what is no exception escalates by default") {
  under_seeds([](Play& play) {
    std::string type;
    const Ref top = play.spawn("top", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                 type = failure.type();
                                 CHECK(failure.is_foreign());
                                 CHECK(failure.is<ForeignException>());
                                 return Directive::resume;
                               }});
    const Ref boss = play.spawn_under(top, "boss");
    const Ref child = play.spawn_under(boss, "child");
    play.perform(child, [](Puppet&, Context&) { throw "a text"; });
    CHECK(type == "char const*");
    CHECK(play.answers(child));
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("escalated") == "/user/top/boss");
  });
}

}  // namespace actord::conformance
