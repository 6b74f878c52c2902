// SPDX-License-Identifier: Apache-2.0
//
// The story of one failure: each line about what it did names it (supervision.md, section 4).
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

Strategy escalate_all() { return one_for_one().otherwise(Directive::escalate); }
Strategy restart_all() { return one_for_one().otherwise(Directive::restart); }

/// How the lines about an actor name failures, one entry for each line that does: "stopped own",
/// "restarted along".
std::string names_in(SeededTest& test, std::string_view path) {
  std::string all;
  for (const auto& line : test.world.events()) {
    if (line.field("actor.path") != path || line.name == "actor.failed") continue;
    const bool is_own = !line.field("failure.id").empty();
    const bool is_along = !line.field("collateral_of").empty();
    CHECK_FALSE((is_own && is_along));
    if (!is_own && !is_along) continue;
    if (!all.empty()) all += ", ";
    all += line.name.substr(line.name.find('.') + 1) + (is_own ? " own" : " along");
  }
  return all;
}

/// The lines that name the failure with this id, in whatever field.
int lines_with(SeededTest& test, std::string_view id) {
  int count = 0;
  for (const auto& line : test.world.events()) {
    count += static_cast<int>(line.field("failure.id") == id || line.field("collateral_of") == id ||
                              line.field("judged.id") == id);
  }
  return count;
}

}  // namespace

TEST_CASE(
    "story: the actors that a restarted supervisor stops name the failure that it escalated") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Judge>("top");
    const Ref boss = test.spawn_under<Boss<&escalate_all>>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref sibling = test.spawn_under(boss, "sibling");
    CHECK(test.spawn_under(sibling, "below"));
    test.fail<Restarting>(child);
    CHECK(names_in(test, "/user/top/boss") == "restarted own");
    CHECK(names_in(test, "/user/top/boss/child") == "stopped own");
    CHECK(names_in(test, "/user/top/boss/sibling") == "stopped along");
    CHECK(names_in(test, "/user/top/boss/sibling/below") == "stopped along");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(lines_with(test, failed[0].field("failure.id")) == 5);
  });
}

TEST_CASE("story: children that survive the restart of their supervisor name its cause") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Judge>("top");
    const Ref boss = test.spawn_under<Boss<&escalate_all>>(top, "boss", {.keeps_children = true});
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(boss, "sibling");
    test.fail<Restarting>(child);
    CHECK(names_in(test, "/user/top/boss/child") == "restarted own");
    CHECK(names_in(test, "/user/top/boss/sibling") == "restarted along");
    CHECK(test.world.events("actor.restarted")[0].field("failure.type") ==
          "actord::conformance::Restarting");
  });
}

TEST_CASE("story: the actors below a stopped supervisor name the failure that stops it") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Judge>("top");
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(child, "below");
    test.fail<Stopping>(boss);
    CHECK(names_in(test, "/user/top/boss") == "stopped own");
    CHECK(names_in(test, "/user/top/boss/child") == "stopped along");
    CHECK(names_in(test, "/user/top/boss/child/below") == "stopped along");
  });
}

TEST_CASE("story: a child that pre_restart stops names the cause of the restart") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn_under<Judge>(
        test.spawn<Judge>("top"), "boss",
        {.pre_restart = [](ScriptedActor&, Context& ctx,
                           const Failure&) { ctx.stop(ctx.child("first")->ref); },
         .keeps_children = true});
    test.spawn_under(boss, "first");
    test.spawn_under(boss, "second");
    test.fail<Restarting>(boss);
    CHECK(names_in(test, "/user/top/boss/first") == "stopped along");
    CHECK(names_in(test, "/user/top/boss/second") == "restarted along");
  });
}

TEST_CASE("story: an escalated failure tells each supervisor's rule and where it stands") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top");
    const Ref boss = test.spawn_under<Judge>(top, "boss");
    test.fail<Escalating>(test.spawn_under(boss, "child"));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    const auto& line = failed[0];
    CHECK(line.field("decision.path.0.supervisor") == "/user/top/boss");
    CHECK(line.field("decision.path.0.directive") == "escalate");
    CHECK(line.field("decision.path.0.rule") == "actord::conformance::Escalating");
    CHECK(line.field("decision.path.0.config_origin").starts_with("code: "));
    CHECK(line.field("decision.path.1.supervisor") == "/user/top");
    CHECK(line.field("decision.path.1.directive") == "restart");
    CHECK(line.field("decision.path.1.rule") == "default");
    CHECK(line.field("decision.path.1.config_origin") == "code: play/ScriptedActor");
    CHECK(line.field("decision.config_origin") == "code: play/ScriptedActor");
    CHECK(line.field("decision.path_omitted").empty());
    test.fail<Restarting>(top);
    const auto by_guardian = test.world.events("actor.failed").back();
    CHECK(by_guardian.field("supervisor.path") == "/user");
    CHECK(by_guardian.field("decision.config_origin") == "default");
    CHECK(by_guardian.field("decision.path.0.supervisor").empty());
  });
}

TEST_CASE("story: of a long way up the lowest and the highest supervisors are told") {
  under_seeds([](SeededTest& test) {
    Ref at = test.spawn("top");
    for (int i = 0; i < 14; ++i) at = test.spawn_under<Judge>(at, "b" + std::to_string(i));
    test.fail<Escalating>(test.spawn_under(at, "child"));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    const auto& line = failed[0];
    CHECK(line.field("decision.path.7.supervisor").ends_with("/b6"));
    CHECK(line.field("decision.path.8.supervisor").ends_with("/b2"));
    CHECK(line.field("decision.path.10.supervisor") == "/user/top/b0");
    CHECK(line.field("decision.path.11.supervisor") == "/user/top");
    CHECK(line.field("decision.path.12.supervisor").empty());
    CHECK(line.field("decision.path_omitted") == "3");
  });
}

TEST_CASE("story: the failure of a decider tells what it was judging") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn<Judge>("top");
    const Ref boss = test.spawn_under(
        top, "boss", {.decide = [](ScriptedActor&, Context&, const Failure&) -> Directive {
          throw Stopping("cannot decide");
        }});
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child, "what the child failed with");
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("actor.path") == "/user/top/boss");
    CHECK(failed[0].field("judged.actor") == "/user/top/boss/child");
    CHECK(failed[0].field("judged.type") == "actord::conformance::Restarting");
    CHECK(failed[0].field("judged.message") == "what the child failed with");
    CHECK(failed[0].field("judged.id") != failed[0].field("failure.id"));
    CHECK(names_in(test, "/user/top/boss/child") == "stopped along");
  });
}

TEST_CASE("story: a child that is created anew after a failed creation names that failure") {
  under_seeds([](SeededTest& test) {
    int attempts = 0;
    const Ref boss = test.spawn<Boss<&restart_all>>("boss");
    test.spawn_under(boss, "child", {.pre_start = [&](ScriptedActor&, Context&) {
                       if (++attempts == 1) throw Restarting("not yet");
                     }});
    test.world.run();
    REQUIRE(test.world.events("actor.failed").size() == 1);
    CHECK(names_in(test, "/user/boss/child") == "started own");
  });
}

TEST_CASE("story: an actor that a reload or a stop ends names no failure") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    test.spawn_under(boss, "child");
    test.stop(boss);
    CHECK(names_in(test, "/user/boss").empty());
    CHECK(names_in(test, "/user/boss/child").empty());
  });
}

}  // namespace actord::conformance
