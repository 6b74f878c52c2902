// SPDX-License-Identifier: Apache-2.0
//
// Another configuration while actors run: new children, and those that go.
#include "reconfigure_play.hpp"

namespace actord::conformance {

namespace {

/// /user/level/top with these children.
Nodes level_with(Nodes children) {
  return {{"level", {{"top", std::move(children)}}, always(Otherwise::resume)}};
}

/// While level, which is suspended, owes its child a verdict: nobody is done.
Change reconfigure_before_verdict(Play& play, const Nodes& wanted) {
  fail_while_suspended(play, play.find("/user/level/top"), play.find("/user/level"));
  Change change = reconfigure(play, wanted);
  CHECK_FALSE(*change.is_done);
  return change;
}

void give_verdict(Play& play) {
  play.order(play.find("/user/level"), actor::Order::resume);
  play.world.run();
}

}  // namespace

TEST_CASE("reload: new actors start in the order of the file, each when the one before has") {
  under_seeds(
      [](Play& play) {
        const Ref b = play.find("/user/b");
        const Change change =
            reconfigure(play, {{"a", {{"inner"}}}, {"b"}, {"c"}, {"d", {}, {}, true}});
        CHECK(*change.is_done);
        CHECK(play.came_in_order({"b new 0", "a new 0", "inner new 0", "c new 0"}));
        CHECK(play.find("/user/b") == b);
        CHECK(play.life_of("b") == "new 0, pre_start 0");
        for (const char* path : {"/user/a", "/user/a/inner", "/user/c", "/user/d"})
          CHECK(play.find(path) != Ref{});
      },
      boot({{"b"}}));
}

TEST_CASE("reload: an actor that stands there no more is stopped, its children first") {
  under_seeds(
      [](Play& play) {
        const Ref gone = play.find("/user/gone");
        play.watch(play.find("/user/stays"), gone);
        const Change change = reconfigure(play, {{"stays"}});
        CHECK(*change.is_done);
        CHECK_FALSE(play.is_alive(gone));
        CHECK(play.came_in_order(
            {"inner post_stop 0", "gone post_stop 0", ended("stays", "gone", "config")}));
        CHECK(play.world.events("actor.stopped").back().field("reason") == "config");
        CHECK(play.find("/user/gone") == Ref{});
        CHECK(play.answers(play.find("/user/stays")));
      },
      boot({{"gone", {{"inner"}}}, {"stays"}}));
}

TEST_CASE(
    "reload: one of another kind takes the place of the one that was there, when it is gone") {
  under_seeds(
      [](Play& play) {
        const Ref former = play.find("/user/one");
        const Change change =
            reconfigure(play, {{"one", {{"inner"}}, {}, false, "blocking-io"}, {"two"}});
        CHECK(*change.is_done);
        const Ref latter = play.find("/user/one");
        CHECK(latter != former);
        CHECK_FALSE(play.is_alive(former));
        CHECK(play.came_in_order({"inner post_stop 0", "one post_stop 0", "one new 1",
                                  "one pre_start 1", "inner new 1"}));
        CHECK(play.cell(latter).dispatcher.load() == 2);
        CHECK(play.life_of("two") == "new 0, pre_start 0");
      },
      boot({{"one", {{"inner"}}}, {"two"}}));
}

TEST_CASE("reload: one that cannot be created is lost; the others start, nothing is taken back") {
  under_seeds(
      [](Play& play) {
        const Change change = reconfigure(play, {{"bad"}, {"last"}});
        CHECK(*change.is_done);
        REQUIRE(play.world.lost_children().size() == 1);
        CHECK(play.world.lost_children()[0].path == "/user/bad");
        CHECK(play.answers(play.find("/user/last")));
        CHECK(play.find("/user/first") == Ref{});
      },
      boot({{"first"}}, [] {
        return Parts{{"bad", stillborn()}};
      }));
}

TEST_CASE("reload: it is over when the new ones have started, and tells until then who has not") {
  const auto inner = [] {
    return Parts{{"bad", {.pre_start = [](Puppet& puppet, Context&) {
                    if (puppet.number() == 0) throw Restarting("not yet");
                  }}}};
  };
  under_seeds(
      [](Play& play) {
        const Ref level = play.find("/user/level");
        const Change change =
            configure(play, {{"level", {{"bad", {{"leaf"}}}}, backing_off(100 * ms)}});
        CHECK(change.wish->awaited() == std::vector<actor::Ref>{play.world.find("/")});
        const auto is_waiting = [&] {
          const actor::CellExtras* const extras = play.cell(level).extras;
          return extras != nullptr && !extras->start_sequence.awaits_nobody();
        };
        CHECK(play.step_until(is_waiting));
        CHECK_FALSE(*change.is_done);
        play.world.run();  // its first failure has been judged
        CHECK(*change.is_done);
        CHECK(change.wish->awaited().empty());
        play.world.advance(100ms);
        CHECK(play.answers(play.find("/user/level/bad/leaf")));
      },
      boot({{"level", {}, backing_off(100 * ms)}}, inner));
}

TEST_CASE("reload: who has ended by itself stays away until its own config changes") {
  const auto nodes = [](std::string content, const actor::Strategy& strategy) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}, strategy}};
  };
  under_seeds(
      [&](Play& play) {
        play.fail<Stopping>(play.find("/user/top/child"));
        CHECK(play.find("/user/top/child") == Ref{});
        reconfigure(play, nodes("a", always(Otherwise::resume)));
        CHECK(play.find("/user/top/child") == Ref{});
        reconfigure(play, nodes("b", always(Otherwise::resume)));
        CHECK(play.answers(play.find("/user/top/child")));
        CHECK(play.life_of("top") == "new 0, pre_start 0");
      },
      boot(nodes("a", always(Otherwise::stop))));
}

TEST_CASE("reload: a name that code has given to an actor is not given twice") {
  under_seeds(
      [](Play& play) {
        const Ref made = play.spawn_under(play.find("/user/top"), "child");
        const Change change = reconfigure(play, {{"top", {{"child"}, {"other"}}}});
        CHECK(*change.is_done);
        CHECK(play.find("/user/top/child") == made);
        REQUIRE(play.world.lost_children().size() == 1);
        CHECK(play.world.lost_children()[0].what.find("is taken") != std::string::npos);
        CHECK(play.answers(play.find("/user/top/other")));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a supervisor that waits for its verdict starts nobody until it goes on") {
  under_seeds(
      [](Play& play) {
        const Change change = reconfigure_before_verdict(play, level_with({{"child"}, {"new"}}));
        CHECK(play.find("/user/level/top/new") == Ref{});
        give_verdict(play);
        CHECK(*change.is_done);
        CHECK(play.answers(play.find("/user/level/top/new")));
      },
      boot(level_with({{"child"}})));
}

TEST_CASE("reload: a second one that takes back what the first has yet to do ends both") {
  under_seeds(
      [](Play& play) {
        const Change first = reconfigure_before_verdict(play, level_with({{"child"}, {"new"}}));
        const Change second = reconfigure(play, level_with({{"child"}}));
        give_verdict(play);
        CHECK(*first.is_done);
        CHECK(*second.is_done);
        CHECK(play.find("/user/level/top/new") == Ref{});
        CHECK(play.answers(play.find("/user/level/top/child")));
      },
      boot(level_with({{"child"}})));
}

TEST_CASE("reload: a supervisor that is being restarted starts those of the new configuration") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/level/top");
        play.fail<Restarting>(top);
        CHECK(play.cell(top).life.stage() == actor::Stage::backing_off);
        const Change change =
            reconfigure(play, {{"level", {{"top", {{"new"}}}}, backing_off(100 * ms)}});
        CHECK(*change.is_done);
        play.world.advance(100ms);
        CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
        CHECK(play.answers(play.find("/user/level/top/new")));
      },
      boot({{"level", {{"top", {{"child"}}}}, backing_off(100 * ms)}}));
}

}  // namespace actord::conformance
