// SPDX-License-Identifier: Apache-2.0
//
// Another configuration while actors run: strategies and rules, which are swapped.
#include "actor/child_list.hpp"
#include "reconfigure_play.hpp"

namespace actord::conformance {

TEST_CASE("reload: a strategy holds from the next failure on, and nobody notices it before") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top"), child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        CHECK(play.world.incarnation(child.value) == 1);
        play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 7; });
        const Change change = reconfigure(play, family(always(Otherwise::stop, "new.conf:3")));
        CHECK(*change.is_done);
        CHECK(play.find("/user/top/child") == child);
        CHECK(play.value(child) == 7);
        play.fail<Resuming>(child);
        CHECK_FALSE(play.is_alive(child));
        CHECK(play.world.events("actor.failed").back().field("decision.config_origin") ==
              "new.conf:3");
        CHECK(play.life_of("top") == "new 0, pre_start 0");
        CHECK(play.is_alive(top));
      },
      boot(family(always(Otherwise::restart))));
}

TEST_CASE("reload: what a supervisor has counted goes on under the new limit") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        play.fail<Resuming>(child);
        reconfigure(play, family(restarting(3)));
        play.fail<Resuming>(child);
        CHECK(play.answers(child));
        play.fail<Resuming>(child);
        CHECK_FALSE(play.is_alive(child));
      },
      boot(family(restarting(5))));
}

TEST_CASE("reload: a rule reaches actors that code has made, named or not, and leaves them again") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        const Ref boss = play.spawn_under(top, "boss"), nameless = play.spawn_under(top, "");
        const auto fail_child_of = [&](Ref whom) {
          const Ref child = play.spawn_under(whom, "");
          play.fail<Stopping>(child);
          return play.is_alive(child);
        };
        CHECK(fail_child_of(boss));
        reconfigure(play, {{"top"}}, {rule_for("/user/top/*", always(Otherwise::stop))});
        CHECK_FALSE(fail_child_of(boss));
        CHECK_FALSE(fail_child_of(nameless));
        const Ref later = play.spawn_under(top, "later");
        CHECK_FALSE(fail_child_of(later));
        reconfigure(play, {{"top"}});
        for (const Ref each : {boss, nameless, later}) CHECK(fail_child_of(each));
        CHECK(play.life_of("boss") == "new 0, pre_start 0");
      },
      boot({{"top"}}));
}

TEST_CASE("reload: the guardian's strategy is changed like any other") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        play.user.strategy = always(Otherwise::resume);
        reconfigure(play, {{"top"}});
        play.fail<Stopping>(top);
        CHECK(play.world.incarnation(top.value) == 0);
        CHECK(play.answers(top));
      },
      boot({{"top"}}));
}

TEST_CASE("reload: a failure that waits to be judged is judged by the new rules") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/level/top"), child = play.find("/user/level/top/child");
        fail_while_suspended(play, child, top);
        CHECK(play.cell(child).life.is_failed());
        reconfigure(play, {{"level", family(always(Otherwise::stop))}});
        CHECK(play.is_alive(child));
        play.order(top, actor::Order::resume);
        play.world.run();
        CHECK_FALSE(play.is_alive(child));
      },
      boot({{"level", family(always(Otherwise::restart))}}));
}

TEST_CASE("reload: one that waits for its back-off goes on waiting, the next one is the new one") {
  under_seeds(
      [](Play& play) {
        const Ref child = play.find("/user/top/child");
        play.fail<Resuming>(child);
        play.world.advance(60ms);
        reconfigure(play, family(backing_off(10 * ms)));
        play.world.advance(39ms);
        CHECK(play.cell(child).life.stage() == actor::Stage::backing_off);
        play.world.advance(1ms);
        CHECK(play.answers(child));
        play.fail<Resuming>(child);
        play.world.advance(20ms);
        CHECK(play.answers(child));
        CHECK(play.world.incarnation(child.value) == 2);
      },
      boot(family(backing_off(100 * ms))));
}

TEST_CASE("reload: whoever is spawned meanwhile is judged by the new rules too") {
  under_seeds(
      [](Play& play) {
        const Ref top = play.find("/user/top");
        for (int round = 0; round < 20; ++round) {
          const bool stops = round % 2 == 0;
          const auto spawn_some = [&] {
            for (int i = 0; i < 5; ++i) {
              play.queue(top, [](Puppet& puppet, Context& ctx) {
                const Ref boss = ctx.spawn<Puppet>("", &puppet.play(), Part{});
                ctx.spawn<Puppet>("boss-" + std::to_string(boss.value), &puppet.play(), Part{});
              });
            }
          };
          spawn_some();
          for (int i = 0; i < round % 5; ++i) play.world.step();
          const Change change = configure(
              play, {{"top"}},
              {rule_for("/user/top/*", always(stops ? Otherwise::stop : Otherwise::resume))});
          for (int i = 0; i < round % 3; ++i) play.world.step();
          spawn_some();
          play.world.run();
          CHECK(*change.is_done);
          const actor::CellPool& cells = play.world.system().cells;
          for (std::uint32_t at = actor::first_child_of(play.cell(top)); at != actor::Cell::none;
               at = cells.at(at).next_sibling) {
            REQUIRE(cells.at(at).props->strategy != nullptr);
            CHECK(cells.at(at).props->strategy->otherwise ==
                  (stops ? Otherwise::stop : Otherwise::resume));
          }
        }
      },
      boot({{"top"}}));
}

}  // namespace actord::conformance
