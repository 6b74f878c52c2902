// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration while actors run: an actor with another config is restarted once.
#include "reconfigure_support.hpp"

namespace actord::conformance {

TEST_CASE("reload: one with another config is restarted, with its mail, and the others are not") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {{"inner"}}, {}, false, {}, std::move(content), "new.conf:7"}, {"two"}};
  };
  std::string why;
  const auto scripts = [&why] {
    return Scripts{
        {"one", {.post_restart = [&why](ScriptedActor&, Context&, const Failure& reason) {
           why = reason.type();
         }}}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref one = test.find("/user/one"), two = test.find("/user/two");
        test.perform(one, [](ScriptedActor& actor, Context&) { actor.value = 7; });
        test.watch(two, one);
        configure(test, nodes("b"));
        test.note(one, 1);
        test.world.run();
        CHECK(why == "actord::ConfigChanged");
        CHECK(test.find("/user/one") == one);
        CHECK(test.value(one) == 0);
        CHECK(test.world.incarnation(one.value) == 1);
        CHECK(test.came_in_order({"one pre_restart 0", "inner post_stop 0", "one new 1",
                                  "one post_restart 1", "inner new 1"}));
        CHECK(test.count("one got 1") == 1);
        CHECK(test.answers(test.find("/user/one/inner")));
        CHECK(test.life_of("two") == "new 0, pre_start 0");
        const auto lines = test.world.events("actor.restarted");
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].field("restart.cause") == "actord::ConfigChanged");
        CHECK(lines[0].field("config.origin") == "new.conf:7");
        CHECK(lines[0].level == log::Level::info);
        CHECK(test.world.events("actor.failed").empty());
        CHECK(test.cell(one).stats == nullptr);
      },
      boot(nodes("a"), scripts));
}

TEST_CASE("reload: children that outlive the restart of their parent are restarted with it") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {{"inner"}}, {}, false, {}, std::move(content)}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref inner = test.find("/user/one/inner");
        reconfigure(test, nodes("b"));
        CHECK(test.find("/user/one/inner") == inner);
        CHECK(test.life_of("inner") ==
              "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
        CHECK(test.answers(inner));
      },
      boot(nodes("a"), [] {
        return Scripts{{"one", keeping_children()}};
      }));
}

TEST_CASE("reload: an actor restarted with its parent is built once, from its own new config") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one",
             {{"inner", {{"leaf", {}, {}, false, {}, content}}, {}, false, {}, content}},
             {},
             false,
             {},
             content}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref inner = test.find("/user/one/inner"), leaf = test.find("/user/one/inner/leaf");
        const Change change = reconfigure(test, nodes("b"));
        CHECK(*change.is_done);
        for (const std::string name : {"one", "inner", "leaf"}) {
          CHECK(test.count(name + " new 1") == 1);
          CHECK(test.count(name + " new 2") == 0);
        }
        for (const Ref each : {inner, leaf}) {
          CHECK(test.cell(each).props->node->content == "b");
          CHECK(test.answers(each));
        }
      },
      boot(nodes("a"), [] {
        return Scripts{{"one", keeping_children()}, {"inner", keeping_children()}};
      }));
}

TEST_CASE(
    "reload: an actor that was starting children when its parent restarts starts the new ones") {
  const auto nodes = [](std::string content, const Nodes& children) -> Nodes {
    return {{"top", {{"mid", children}}, {}, false, {}, std::move(content)}};
  };
  for (int steps = 0; steps < 12; ++steps) {
    CAPTURE(steps);
    under_seeds(
        [&](SeededTest& test) {
          const Change first = configure(test, nodes("a", {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}));
          for (int i = 0; i < steps; ++i) test.world.step();
          const Change second = configure(test, nodes("b", {{"z"}}));
          test.world.run();
          CHECK(*first.is_done);
          CHECK(*second.is_done);
          CHECK(test.answers(test.find("/user/top/mid/z")));
          for (const char* name : {"a", "b", "c", "d", "e"})
            CHECK_FALSE(test.find(std::string{"/user/top/mid/"} + name));
          CHECK(test.world.lost_children().empty());
        },
        boot(nodes("a", {}), [] {
          return Scripts{{"top", keeping_children()}, {"mid", keeping_children()}};
        }));
  }
}

TEST_CASE("reload: one whose parent waits for its back-off is built once, when that is over") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"level",
             {{"top", {{"child", {}, {}, false, {}, std::move(content)}}}},
             backing_off(100 * ms)}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref child = test.find("/user/level/top/child");
        test.fail<Restarting>(test.find("/user/level/top"));
        const Change change = reconfigure(test, nodes("b"));
        CHECK(*change.is_done);
        CHECK(test.count("child new 1") == 0);
        test.world.advance(100ms);
        CHECK(test.count("child new 1") == 1);
        CHECK(test.count("child new 2") == 0);
        CHECK(test.cell(child).props->node->content == "b");
        CHECK(test.answers(child));
      },
      boot(nodes("a"), [] {
        return Scripts{{"top", keeping_children()}};
      }));
}

TEST_CASE("reload: one that is about to be built is built once, from the new config") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}, backing_off(100 * ms)}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref child = test.find("/user/top/child");
        test.fail<Restarting>(child);
        const Change change = reconfigure(test, nodes("b"));
        CHECK(*change.is_done);
        CHECK(test.cell(child).life.stage() == actor::Stage::backing_off);
        test.world.advance(100ms);
        CHECK(test.world.incarnation(child.value) == 1);
        CHECK(test.count("child new 1") == 1);
        CHECK(test.count("child new 2") == 0);
        CHECK(test.cell(child).props->node->content == "b");
        CHECK(test.answers(child));
      },
      boot(nodes("a")));
}

TEST_CASE("reload: one that has failed is restarted, and its verdict is carried out besides") {
  const auto nodes = [](const actor::Strategy& strategy, std::string content) -> Nodes {
    return {
        {"level", {{"top", {{"child", {{"leaf"}}, {}, false, {}, std::move(content)}}, strategy}}}};
  };
  for (const Otherwise verdict :
       {Otherwise::resume, Otherwise::restart, Otherwise::stop, Otherwise::escalate}) {
    CAPTURE(static_cast<int>(verdict));
    const actor::Strategy strategy = always(verdict);
    under_seeds(
        [&](SeededTest& test) {
          const Ref top = test.find("/user/level/top");
          const Ref child = test.find("/user/level/top/child");
          fail_while_suspended(test, child, top);
          test.send_system(top, actor::SystemMessage::resume());
          const Change change = reconfigure(test, nodes(strategy, "b"));
          CHECK(*change.is_done);
          CHECK(test.answers(top));
          CHECK(test.is_alive(child) ==
                (verdict == Otherwise::resume || verdict == Otherwise::restart));
          const Ref now = test.find("/user/level/top/child");
          if (verdict == Otherwise::stop && !now) return;  // the verdict came after the change
          CHECK(test.answers(now));
          CHECK(test.answers(test.find("/user/level/top/child/leaf")));
          CHECK(test.cell(now).props->node->content == "b");
        },
        boot(nodes(strategy, "a")));
  }
}

TEST_CASE("reload: a late Resume of an earlier failure leaves a later failure to its own verdict") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"top", {{"child", {}, {}, false, {}, std::move(content)}}}};
  };
  for (const bool is_fatal : {true, false}) {
    CAPTURE(is_fatal);
    const auto scripts = [is_fatal] {
      Script child{.construct = [is_fatal](ScriptedActor& actor, Context&) {
        if (is_fatal && actor.number() == 1) throw Restarting("no such port");
      }};
      Script top{.decide = [](ScriptedActor& actor, Context&, const Failure& failure) {
        actor.record(failure.is<Resuming>() ? "resumes" : "restarts");
        return failure.is<Resuming>() ? Directive::resume : Directive::restart;
      }};
      return Scripts{{"child", std::move(child)}, {"top", std::move(top)}};
    };
    under_seeds(
        [&](SeededTest& test) {
          const Ref top = test.find("/user/top");
          const Ref child = test.find("/user/top/child");
          test.queue(child, [=](ScriptedActor& actor, Context&) {
            actor.test().send_system(top, actor::SystemMessage::suspend());
            throw Resuming("boom");
          });
          if (!is_fatal) test.queue_failure<Restarting>(child);
          test.world.run();
          reconfigure(test, nodes("b"));
          test.send_system(top, actor::SystemMessage::resume());
          test.world.run();
          CHECK(test.came_in_order({"top resumes", "top restarts", "child new 2"}));
          CHECK(test.count("top restarts") == 1);
          CHECK(test.count("child new 3") == 0);
          CHECK(test.answers(child));
        },
        boot(nodes("a"), scripts));
  }
}

TEST_CASE("reload: one that cannot be built from its new config is judged like any other") {
  const auto nodes = [](std::string content) -> Nodes {
    return {{"one", {}, {}, false, {}, std::move(content)}, {"two"}};
  };
  const auto picky = [] {
    return Scripts{{"one", {.construct = [](ScriptedActor& actor, Context&) {
                      if (actor.number() > 0) throw Stopping("no such port");
                    }}}};
  };
  under_seeds(
      [&](SeededTest& test) {
        const Ref one = test.find("/user/one");
        const Change change = reconfigure(test, nodes("b"));
        CHECK(*change.is_done);
        CHECK_FALSE(test.is_alive(one));
        REQUIRE(test.world.lost_children().size() == 1);
        CHECK(test.world.lost_children()[0].path == "/user/one");
        CHECK(test.world.lost_children()[0].what == "no such port");
        CHECK(test.answers(test.find("/user/two")));
        reconfigure(test, nodes("b"));  // no difference: it stays away
        CHECK(test.find("/user/one") == Ref{});
      },
      boot(nodes("a"), picky));
}

}  // namespace actord::conformance
