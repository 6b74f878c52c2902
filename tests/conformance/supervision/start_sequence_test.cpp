// SPDX-License-Identifier: Apache-2.0
//
// Configured children: their order, readiness, children that cannot be started, and the effect of a
// restart on them.
#include "configured.hpp"

namespace actord::conformance {

TEST_CASE("boot: children start in their order, each with all its own before the next") {
  const auto unready = [] {
    Scripts scripts;
    for (const char* name : {"one", "inner", "leaf", "two"}) {
      scripts[name].pre_start = [](ScriptedActor& actor, Context&) {
        CHECK_FALSE(actor.test().world.is_ready());
      };
    }
    return scripts;
  };
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.lost_children().empty());
        CHECK(test.came_in_order({"one new 0", "one pre_start 0", "inner new 0",
                                  "inner pre_start 0", "leaf new 0", "leaf pre_start 0",
                                  "two new 0", "two pre_start 0", "three new 0"}));
        CHECK(test.answers(test.find("/user/one/inner/leaf")));
      },
      boot({{"one", {{"inner", {{"leaf"}}}}}, {"two"}, {"three"}}, unready));
}

TEST_CASE("boot: one that cannot be created is reported with its cause, and the others start") {
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        REQUIRE(test.world.lost_children().size() == 1);
        const system::LostChild& lost = test.world.lost_children()[0];
        CHECK(lost.path == "/user/bad");
        CHECK(lost.type == "actord::conformance::Stopping");
        CHECK(lost.what == "port in use");
        CHECK(lost.error_number == 98);
        CHECK(test.came_in_order({"good new 0", "bad pre_start 0", "last new 0"}));
        CHECK(test.answers(test.find("/user/last")));
        CHECK(test.find("/user/bad") == Ref{});
      },
      boot({{"good"}, {"bad"}, {"last"}}, [] {
        return Scripts{{"bad", stillborn()}};
      }));
}

TEST_CASE("boot: unless it may be degraded, it ends with the first that cannot be created") {
  SeededTest::Setup setup = boot({{"level", {{"good"}, {"bad"}, {"never"}}}, {"last"}}, [] {
    return Scripts{{"bad", stillborn()}};
  });
  setup.options.boots_degraded = false;
  under_seeds(
      [](SeededTest& test) {
        CHECK_FALSE(test.world.is_ready());
        REQUIRE(test.world.lost_children().size() == 1);
        CHECK(test.world.lost_children()[0].path == "/user/level/bad");
        CHECK(test.life_of("good") == "new 0, pre_start 0");
        CHECK(test.life_of("never") == "");
        CHECK(test.life_of("last") == "");
      },
      setup);
}

TEST_CASE("boot: one whose creation is retried until the limit is lost when that is reached") {
  SeededTest::Setup setup = boot({{"level", {{"bad"}, {"last"}}, restarting(2), true}}, [] {
    return Scripts{{"bad", stillborn()}};
  });
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.life_of("bad") == "new 0, pre_start 0, new 1, pre_start 1, new 2, pre_start 2");
        REQUIRE(test.world.lost_children().size() == 1);
        CHECK(test.world.lost_children()[0].path == "/user/level/bad");
        CHECK(test.answers(test.find("/user/level/last")));
      },
      setup);
}

TEST_CASE("boot: one whose creation succeeds at a later attempt is not lost") {
  const auto slow_starter = [] {
    return Scripts{{"slow", {.pre_start = [](ScriptedActor& actor, Context&) {
                      if (actor.number() < 2) throw Restarting("not yet");
                    }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.lost_children().empty());
        CHECK(test.answers(test.find("/user/level/slow")));
        CHECK(test.answers(test.find("/user/level/last")));
      },
      boot({{"level", {{"slow"}, {"last"}}, restarting(-1), true}}, slow_starter));
}

TEST_CASE("boot: a node without a behaviour is a level of supervision with its own strategy") {
  actor::Strategy resuming;
  resuming.name = "config";
  resuming.otherwise = actor::Strategy::Otherwise::resume;
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.find("/user/level/child");
        test.fail<Stopping>(child);
        CHECK(test.answers(child));
        CHECK(test.world.incarnation(child.value) == 0);
        CHECK(test.world.events("actor.failed")[0].field("supervisor.strategy") == "config");
      },
      boot({{"level", {{"child"}}, resuming, true}}));
}

TEST_CASE("boot: a configured child later stopped or failed is not lost") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.find("/user/child");
        test.fail<Restarting>(child);
        CHECK(test.answers(child));
        test.world.send(child.value, Kill{});
        CHECK_FALSE(test.is_alive(child));
        CHECK(test.world.lost_children().empty());
      },
      boot({{"child"}}));
}

TEST_CASE("boot: restarted, a supervisor starts its configured children again, in order") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/top");
        test.fail<Restarting>(top);
        CHECK(test.came_in_order({"top new 1", "one new 1", "two new 1"}));
        CHECK(test.answers(test.find("/user/top/one")));
        CHECK(test.answers(test.find("/user/top/two")));
        CHECK(test.count("one post_stop 0") == 1);
      },
      boot({{"top", {{"one"}, {"two"}}}}));
}

TEST_CASE("boot: children that outlive their supervisor's restart are kept, others started again") {
  const auto keeper = [] {
    return Scripts{{"top", {.pre_restart = [](ScriptedActor&, Context& ctx, const Failure&) {
                      ctx.stop(ctx.find("/user/top/one"));
                    }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref kept = test.find("/user/top/two");
        test.fail<Restarting>(test.find("/user/top"));
        CHECK(test.find("/user/top/two") == kept);
        CHECK(test.world.incarnation(kept.value) == 1);
        const Ref one = test.find("/user/top/one");
        CHECK(test.answers(one));
        CHECK(test.world.incarnation(one.value) == 0);
        CHECK(test.answers(kept));
      },
      boot({{"top", {{"one"}, {"two"}}}}, keeper));
}

TEST_CASE("boot: a system that is terminated while it boots ends in order") {
  const auto impatient = [] {
    return Scripts{{"one", {.pre_start = [](ScriptedActor& actor, Context&) {
                      actor.test().world.system().terminate();
                    }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.has_stopped());
        CHECK(test.world.lost_children().empty());  // no child was to be started any more
      },
      boot({{"one"}, {"two"}, {"three"}}, impatient));
}

TEST_CASE("boot: while a supervisor waits for its restart, none of its children is started") {
  // "two" fails its supervisor before the start of "one" is over; "one" waits for "inner".
  const auto hasty = [] {
    auto times = std::make_shared<int>(1);
    return Scripts{{"inner",
                    {.pre_start =
                         [=](ScriptedActor& actor, Context& ctx) {
                           if ((*times)-- > 0)
                             ctx.tell(actor.test().find("/user/top"), Question{1});
                         }}},
                   {"top", {.question = [](ScriptedActor&, Context&, const Question&) {
                      throw Restarting("boom");
                    }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.incarnation(test.find("/user/top").value) == 1);
        CHECK(test.world.incarnation(test.find("/user/top/two").value) == 0);
        CHECK(test.answers(test.find("/user/top/two")));
        CHECK(test.world.lost_children().empty());
      },
      boot({{"top", {{"one", {{"inner"}}}, {"two"}}}}, hasty));
}

}  // namespace actord::conformance
