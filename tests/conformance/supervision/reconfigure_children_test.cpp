// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration while actors run: actors that are added, and actors that are removed.
#include "reconfigure_support.hpp"

namespace actord::conformance {

namespace {

/// /user/level/top with these children.
Nodes level_with(Nodes children) {
  return {{"level", {{"top", std::move(children)}}, always(Otherwise::resume)}};
}

/// /user/level is suspended and owes its child a verdict, so the reconfiguration is not done.
Change reconfigure_before_verdict(SeededTest& test, const Nodes& wanted) {
  fail_while_suspended(test, test.find("/user/level/top"), test.find("/user/level"));
  Change change = reconfigure(test, wanted);
  CHECK_FALSE(*change.is_done);
  return change;
}

void give_verdict(SeededTest& test) {
  test.send_system(test.find("/user/level"), actor::SystemMessage::resume());
  test.world.run();
}

}  // namespace

TEST_CASE("reload: new actors start in the order of the file, each when the one before has") {
  under_seeds(
      [](SeededTest& test) {
        const Ref b = test.find("/user/b");
        const Change change =
            reconfigure(test, {{"a", {{"inner"}}}, {"b"}, {"c"}, {"d", {}, {}, true}});
        CHECK(*change.is_done);
        CHECK(test.came_in_order({"b new 0", "a new 0", "inner new 0", "c new 0"}));
        CHECK(test.find("/user/b") == b);
        CHECK(test.life_of("b") == "new 0, pre_start 0");
        for (const char* path : {"/user/a", "/user/a/inner", "/user/c", "/user/d"})
          CHECK(test.find(path) != Ref{});
      },
      boot({{"b"}}));
}

TEST_CASE("reload: an actor that stands there no more is stopped, its children first") {
  under_seeds(
      [](SeededTest& test) {
        const Ref gone = test.find("/user/gone");
        test.watch(test.find("/user/stays"), gone);
        const Change change = reconfigure(test, {{"stays"}});
        CHECK(*change.is_done);
        CHECK_FALSE(test.is_alive(gone));
        CHECK(test.came_in_order(
            {"inner post_stop 0", "gone post_stop 0", ended("stays", "gone", "config")}));
        CHECK(test.world.events("actor.stopped").back().field("reason") == "config");
        CHECK(test.find("/user/gone") == Ref{});
        CHECK(test.answers(test.find("/user/stays")));
      },
      boot({{"gone", {{"inner"}}}, {"stays"}}));
}

TEST_CASE(
    "reload: one of another kind takes the place of the one that was there, when it is gone") {
  under_seeds(
      [](SeededTest& test) {
        const Ref former = test.find("/user/one");
        const Change change =
            reconfigure(test, {{"one", {{"inner"}}, {}, false, "blocking-io"}, {"two"}});
        CHECK(*change.is_done);
        const Ref latter = test.find("/user/one");
        CHECK(latter != former);
        CHECK_FALSE(test.is_alive(former));
        CHECK(test.came_in_order({"inner post_stop 0", "one post_stop 0", "one new 1",
                                  "one pre_start 1", "inner new 1"}));
        CHECK(test.cell(latter).dispatcher.load() == 2);
        CHECK(test.life_of("two") == "new 0, pre_start 0");
      },
      boot({{"one", {{"inner"}}}, {"two"}}));
}

TEST_CASE("reload: one that cannot be created is lost; the others start, nothing is taken back") {
  under_seeds(
      [](SeededTest& test) {
        const Change change = reconfigure(test, {{"bad"}, {"last"}});
        CHECK(*change.is_done);
        REQUIRE(test.world.lost_children().size() == 1);
        CHECK(test.world.lost_children()[0].path == "/user/bad");
        CHECK(test.answers(test.find("/user/last")));
        CHECK(test.find("/user/first") == Ref{});
      },
      boot({{"first"}}, [] {
        return Scripts{{"bad", stillborn()}};
      }));
}

TEST_CASE("reload: it is over when the new actors have started, and lists the missing until then") {
  const auto inner = [] {
    return Scripts{{"bad", {.pre_start = [](ScriptedActor& actor, Context&) {
                      if (actor.number() == 0) throw Restarting("not yet");
                    }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref level = test.find("/user/level");
        const Change change =
            configure(test, {{"level", {{"bad", {{"leaf"}}}}, backing_off(100 * ms)}});
        CHECK(change.reconfiguration->awaited() == std::vector<actor::Ref>{test.world.find("/")});
        const auto is_waiting = [&] {
          const actor::CellExtras* const extras = test.cell(level).extras;
          return extras != nullptr && !extras->start_sequence.awaits_nobody();
        };
        CHECK(test.step_until(is_waiting));
        CHECK_FALSE(*change.is_done);
        test.world.run();  // the first failure of "bad" is judged
        CHECK(*change.is_done);
        CHECK(change.reconfiguration->awaited().empty());
        test.world.advance(100ms);
        CHECK(test.answers(test.find("/user/level/bad/leaf")));
      },
      boot({{"level", {}, backing_off(100 * ms)}}, inner));
}

TEST_CASE("reload: an actor that ended by itself stays away until its own config changes") {
  const auto nodes = [](std::string content, const actor::Strategy& strategy) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}, strategy}};
  };
  under_seeds(
      [&](SeededTest& test) {
        test.perform(test.find("/user/top/child"),
                     [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
        CHECK(test.find("/user/top/child") == Ref{});
        reconfigure(test, nodes("a", always(Otherwise::resume)));
        CHECK(test.find("/user/top/child") == Ref{});
        reconfigure(test, nodes("b", always(Otherwise::resume)));
        CHECK(test.answers(test.find("/user/top/child")));
        CHECK(test.life_of("top") == "new 0, pre_start 0");
      },
      boot(nodes("a", always(Otherwise::stop))));
}

TEST_CASE("reload: a name that code has given to an actor is not given twice") {
  under_seeds(
      [](SeededTest& test) {
        const Ref made = test.spawn_under(test.find("/user/top"), "child");
        const Change change = reconfigure(test, {{"top", {{"child"}, {"other"}}}});
        CHECK(*change.is_done);
        CHECK(test.find("/user/top/child") == made);
        REQUIRE(test.world.lost_children().size() == 1);
        CHECK(test.world.lost_children()[0].what.find("is taken") != std::string::npos);
        CHECK(test.answers(test.find("/user/top/other")));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a supervisor that waits for its verdict starts no actor until it goes on") {
  under_seeds(
      [](SeededTest& test) {
        const Change change = reconfigure_before_verdict(test, level_with({{"child"}, {"new"}}));
        CHECK(test.find("/user/level/top/new") == Ref{});
        give_verdict(test);
        CHECK(*change.is_done);
        CHECK(test.answers(test.find("/user/level/top/new")));
      },
      boot(level_with({{"child"}})));
}

TEST_CASE("reload: a second one that takes back what the first has yet to do ends both") {
  under_seeds(
      [](SeededTest& test) {
        const Change first = reconfigure_before_verdict(test, level_with({{"child"}, {"new"}}));
        const Change second = reconfigure(test, level_with({{"child"}}));
        give_verdict(test);
        CHECK(*first.is_done);
        CHECK(*second.is_done);
        CHECK(test.find("/user/level/top/new") == Ref{});
        CHECK(test.answers(test.find("/user/level/top/child")));
      },
      boot(level_with({{"child"}})));
}

TEST_CASE("reload: a supervisor that is being restarted starts those of the new configuration") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/level/top");
        test.fail<Restarting>(top);
        CHECK(test.cell(top).life.stage() == actor::Stage::backing_off);
        const Change change =
            reconfigure(test, {{"level", {{"top", {{"new"}}}}, backing_off(100 * ms)}});
        CHECK(*change.is_done);
        test.world.advance(100ms);
        CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
        CHECK(test.answers(test.find("/user/level/top/new")));
      },
      boot({{"level", {{"top", {{"child"}}}}, backing_off(100 * ms)}}));
}

}  // namespace actord::conformance
