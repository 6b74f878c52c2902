// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration while actors run: strategies and rules, which are replaced.
#include "actor/child_list.hpp"
#include "reconfigure_support.hpp"

namespace actord::conformance {

TEST_CASE("reload: a strategy holds from the next failure on, and changes nothing before") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/top"), child = test.find("/user/top/child");
        test.fail<Resuming>(child);
        CHECK(test.world.incarnation(child.value) == 1);
        test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 7; });
        const Change change = reconfigure(test, family(always(Otherwise::stop, "new.conf:3")));
        CHECK(*change.is_done);
        CHECK(test.find("/user/top/child") == child);
        CHECK(test.value(child) == 7);
        test.fail<Resuming>(child);
        CHECK_FALSE(test.is_alive(child));
        CHECK(test.world.events("actor.failed").back().field("decision.config_origin") ==
              "new.conf:3");
        CHECK(test.life_of("top") == "new 0, pre_start 0");
        CHECK(test.is_alive(top));
      },
      boot(family(always(Otherwise::restart))));
}

TEST_CASE("reload: what a supervisor has counted goes on under the new limit") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.find("/user/top/child");
        test.fail<Resuming>(child);
        test.fail<Resuming>(child);
        reconfigure(test, family(restarting(3)));
        test.fail<Resuming>(child);
        CHECK(test.answers(child));
        test.fail<Resuming>(child);
        CHECK_FALSE(test.is_alive(child));
      },
      boot(family(restarting(5))));
}

TEST_CASE("reload: a rule reaches actors that code has made, named or not, and leaves them again") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/top");
        const Ref boss = test.spawn_under(top, "boss"), nameless = test.spawn_under(top, "");
        const auto fail_child_of = [&](Ref whom) {
          const Ref child = test.spawn_under(whom, "");
          test.fail<Stopping>(child);
          return test.is_alive(child);
        };
        CHECK(fail_child_of(boss));
        reconfigure(test, {{"top"}}, {rule_for("/user/top/*", always(Otherwise::stop))});
        CHECK_FALSE(fail_child_of(boss));
        CHECK_FALSE(fail_child_of(nameless));
        const Ref later = test.spawn_under(top, "later");
        CHECK_FALSE(fail_child_of(later));
        reconfigure(test, {{"top"}});
        for (const Ref each : {boss, nameless, later}) CHECK(fail_child_of(each));
        CHECK(test.life_of("boss") == "new 0, pre_start 0");
      },
      boot({{"top"}}));
}

TEST_CASE("reload: the guardian's strategy is changed like any other") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/top");
        test.user.options.strategy = always(Otherwise::resume);
        reconfigure(test, {{"top"}});
        test.fail<Stopping>(top);
        CHECK(test.world.incarnation(top.value) == 0);
        CHECK(test.answers(top));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a failure that waits to be judged is judged by the new rules") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/level/top"), child = test.find("/user/level/top/child");
        fail_while_suspended(test, child, top);
        CHECK(test.cell(child).life.is_failed());
        reconfigure(test, {{"level", family(always(Otherwise::stop))}});
        CHECK(test.is_alive(child));
        test.send_system(top, actor::SystemMessage::resume());
        test.world.run();
        CHECK_FALSE(test.is_alive(child));
      },
      boot({{"level", family(always(Otherwise::restart))}}));
}

TEST_CASE("reload: one that waits for its back-off goes on waiting, the next one is the new one") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.find("/user/top/child");
        test.fail<Resuming>(child);
        test.world.advance(60ms);
        reconfigure(test, family(backing_off(10 * ms)));
        test.world.advance(39ms);
        CHECK(test.cell(child).life.stage() == actor::Stage::backing_off);
        test.world.advance(1ms);
        CHECK(test.answers(child));
        test.fail<Resuming>(child);
        test.world.advance(20ms);
        CHECK(test.answers(child));
        CHECK(test.world.incarnation(child.value) == 2);
      },
      boot(family(backing_off(100 * ms))));
}

TEST_CASE("reload: an actor that is spawned meanwhile is judged by the new rules too") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.find("/user/top");
        for (int round = 0; round < 20; ++round) {
          const bool stops = round % 2 == 0;
          const auto spawn_some = [&] {
            for (int i = 0; i < 5; ++i) {
              test.queue(top, [](ScriptedActor& actor, Context& ctx) {
                const Ref boss = ctx.spawn<ScriptedActor>("", &actor.test(), Script{});
                ctx.spawn<ScriptedActor>("boss-" + std::to_string(boss.value), &actor.test(),
                                         Script{});
              });
            }
          };
          spawn_some();
          for (int i = 0; i < round % 5; ++i) test.world.step();
          const Change change = configure(
              test, {{"top"}},
              {rule_for("/user/top/*", always(stops ? Otherwise::stop : Otherwise::resume))});
          for (int i = 0; i < round % 3; ++i) test.world.step();
          spawn_some();
          test.world.run();
          CHECK(*change.is_done);
          const actor::CellPool& cells = test.world.system().cells;
          for (const actor::Cell& child : actor::children_of(cells, test.cell(top))) {
            REQUIRE(child.props->strategy != nullptr);
            CHECK(child.props->strategy->otherwise ==
                  (stops ? Otherwise::stop : Otherwise::resume));
          }
        }
      },
      boot({{"top"}}));
}

}  // namespace actord::conformance
