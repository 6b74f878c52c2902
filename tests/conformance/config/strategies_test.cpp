// SPDX-License-Identifier: Apache-2.0
//
// Strategies from a configuration, at work: items 7, 8, 17, 71, 80, 93 and 156, and which strategy
// applies.
#include "conformance/config/config_support.hpp"

namespace actord::conformance {

namespace {

std::string quoted(std::string_view cause) {
  return "\"actord::conformance::" + std::string{cause} + '"';
}

/// One actor "boss" with this strategy for its children.
std::string boss_with(const std::string& strategy) {
  return "actord.user { " + conformance::actor("boss", "supervisor-strategy " + strategy) + " }";
}

Ref child_of_boss(SeededTest& test) { return test.spawn_under(test.find("/user/boss"), "child"); }

}  // namespace

TEST_CASE("7 a cause that no rule of the configuration names escalates") {
  const std::string text = boss_with("{ decider { " + quoted("Resuming") + " = resume } }");
  under_config(text, [](SeededTest& test) {
    const Ref boss = test.find("/user/boss");
    const Ref child = child_of_boss(test);
    test.fail<Resuming>(child);
    CHECK(test.world.incarnation(boss.value) == 0);
    CHECK(test.answers(child));
    test.fail<Restarting>(child);  // /user restarts the boss by default
    CHECK(test.world.incarnation(boss.value) == 1);
  });
}

TEST_CASE("8 rules of the configuration come first, then the default decider, then escalation") {
  const std::string text =
      boss_with("{ decider { " + quoted("Stopping") + " = resume, default = default-decider } }");
  under_config(text, [](SeededTest& test) {
    const Ref boss = test.find("/user/boss");
    const Ref child = child_of_boss(test);
    test.fail<Stopping>(child);
    CHECK(test.world.incarnation(child.value) == 0);
    CHECK(test.answers(child));
    test.fail<Restarting>(child);
    CHECK(test.world.incarnation(child.value) == 1);
    test.world.send(child.value, Kill{});
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.world.incarnation(boss.value) == 0);
    const Ref other = test.spawn_under(boss, "other");
    test.perform(other, [](ScriptedActor&, Context&) { throw 42; });
    CHECK_FALSE(test.answers(boss));  // the guardian escalates it too
    CHECK(test.world.has_stopped());
  });
}

TEST_CASE("8 decider.default = code leaves to the behaviour what no rule names") {
  const std::string text =
      "actord.user.boss { behaviour = \"stage/ScriptedActor\", supervisor-strategy { decider { " +
      quoted("Stopping") + " = resume, default = code } } }";
  under_config(
      text,
      [](SeededTest& test) {
        const Ref child = child_of_boss(test);
        test.fail<Stopping>(child);
        CHECK(test.answers(child));
        test.fail<Restarting>(child);
        CHECK_FALSE(test.is_alive(child));
      },
      [] {
        return Scripts{{"boss", {.decide = [](ScriptedActor&, Context&, const Failure& failure) {
                          CHECK(failure.is<Restarting>());
                          return Directive::stop;
                        }}}};
      });
}

TEST_CASE("17 of the rules of a configuration the most derived type wins, whatever their order") {
  const std::string text =
      boss_with("{ decider { \"std::exception\" = stop, " + quoted("Resuming") +
                " = resume, \"std::runtime_error\" = restart } }");
  under_config(text, [](SeededTest& test) {
    const Ref child = child_of_boss(test);
    test.fail<Resuming>(child);
    CHECK(test.world.incarnation(child.value) == 0);
    test.fail<Stopping>(child);
    CHECK(test.world.incarnation(child.value) == 1);
    test.perform(child, [](ScriptedActor&, Context&) { throw std::logic_error("wrong"); });
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("71 -1 with a window, as Akka writes it, is one restart in the window, with a warning") {
  const std::string text =
      boss_with("{ max-restarts = -1, within = 10 s, decider { default = restart } }");
  CHECK_HAS(settings::warnings(text), "warning: max-restarts = -1 with a window means one restart");
  under_config(text, [](SeededTest& test) {
    const Ref child = child_of_boss(test);
    test.fail<Restarting>(child);
    CHECK(test.answers(child));
    test.world.advance(11s);
    test.fail<Restarting>(child);
    CHECK(test.answers(child));
    test.world.advance(9s);
    test.fail<Restarting>(child);
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("71 in words, unlimited beside a window is unlimited, with a warning") {
  const std::string text =
      boss_with("{ max-restarts = unlimited, within = 10 s, decider { default = restart } }");
  CHECK_HAS(settings::warnings(text), "within has no effect");
  under_config(text, [](SeededTest& test) {
    const Ref child = child_of_boss(test);
    for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
    CHECK(test.answers(child));
  });
}

TEST_CASE("80 any negative number of restarts is unlimited, with a warning") {
  for (const char* number : {"-1", "-2", "-7"}) {
    const std::string text =
        boss_with(std::string{"{ max-restarts = "} + number + ", decider { default = restart } }");
    CHECK_HAS(settings::warnings(text), std::string{number} + " means unlimited");
    under_config(text, [](SeededTest& test) {
      const Ref child = child_of_boss(test);
      for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
      CHECK(test.world.incarnation(child.value) == 20);
      CHECK(test.answers(child));
    });
  }
}

TEST_CASE("93 the guardian's strategy may be a plugin's configurator, with its decider") {
  const std::string text =
      "actord.actor.guardian-supervisor-strategy = \"stage/Strict\"\nactord.user { " +
      conformance::actor("one") + conformance::actor("two") + " }";
  under_config(text, [](SeededTest& test) {
    const Ref one = test.find("/user/one"), two = test.find("/user/two");
    test.fail<Stopping>(one);  // by its code
    CHECK_FALSE(test.is_alive(one));
    test.fail<Restarting>(two);  // by its strategy, twice
    test.fail<Restarting>(two);
    CHECK(test.world.incarnation(two.value) == 2);
    test.fail<Restarting>(two);
    CHECK_FALSE(test.is_alive(two));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 4);
    for (const auto& line : failed) CHECK(line.field("supervisor.strategy") == "stage/Strict");
    CHECK(failed[0].field("decision.rule") == "code");
    CHECK(test.world.events("supervisor.limit").size() == 1);
  });
}

TEST_CASE("93 the names that users of Akka know mean the same strategies") {
  for (const char* name :
       {"akka.actor.StoppingSupervisorStrategy", "Akka.Actor.StoppingSupervisorStrategy, Akka",
        "org.apache.pekko.actor.StoppingSupervisorStrategy", "stopping"}) {
    const std::string text = "akka.actor.guardian-supervisor-strategy = \"" + std::string{name} +
                             "\"\nactord.user { " + conformance::actor("one") + " }";
    under_config(text, [](SeededTest& test) {
      const Ref one = test.find("/user/one");
      test.fail<Restarting>(one);
      CHECK_FALSE(test.is_alive(one));
    });
  }
}

TEST_CASE(
    "156 the stash's capacity is that of the node, else of the pattern, else of default-mailbox") {
  const std::string text =
      "actord { actor.default-mailbox.stash-capacity = 1\n"
      "actor.deployment { \"/user/two/**\" { stash-capacity = 2 } }\nuser { " +
      conformance::actor("one") + conformance::actor("two") +
      conformance::actor("three", "stash-capacity = 3") +
      conformance::actor("four", "stash-capacity = unlimited") + " } }";
  under_config(text, [](SeededTest& test) {
    const Ref inner = test.spawn_under(test.find("/user/two"), "inner");
    const std::pair<Ref, int> expected[] = {{test.find("/user/one"), 1},
                                            {test.spawn_under(inner, "innermost"), 2},
                                            {inner, 2},
                                            {test.find("/user/three"), 3}};
    for (const auto& [who, capacity] : expected) {
      test.perform(who, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
      for (int i = 0; i < capacity; ++i) test.note(who, i);
      test.world.run();
      CHECK(test.world.incarnation(who.value) == 0);
      test.note(who, 9);
      test.world.run();
      CHECK(test.world.incarnation(who.value) == 1);
      CHECK(test.world.events("actor.failed").back().field("failure.type") ==
            "actord::StashOverflow");
    }
    const Ref four = test.find("/user/four");
    test.perform(four, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    for (int i = 0; i < 50; ++i) test.note(four, i);
    test.world.run();
    CHECK(test.world.incarnation(four.value) == 0);
  });
}

TEST_CASE("deployment: the most specific pattern gives the strategy, and the node has priority") {
  const std::string text =
      "actord { actor.deployment {\n"
      "\"/user/**\" { supervisor-strategy { decider.default = stop } }\n"
      "\"/user/*/level\" { supervisor-strategy { decider.default = restart } }\n"
      "}\nuser { " +
      conformance::actor("boss", "supervisor-strategy { decider.default = resume }") +
      conformance::actor("other") + "} }";
  under_config(text, [](SeededTest& test) {
    const Ref boss = test.find("/user/boss"), other = test.find("/user/other");
    const Ref level = test.spawn_under<Judge>(other, "level");
    const Ref resumed = test.spawn_under(boss, "child");
    const Ref restarted = test.spawn_under(level, "child");
    const Ref stopped = test.spawn_under(other, "child");
    for (const Ref each : {resumed, restarted, stopped}) test.fail<Escalating>(each);
    CHECK(test.world.incarnation(resumed.value) == 0);
    CHECK(test.answers(resumed));
    CHECK(test.world.incarnation(restarted.value) == 1);
    CHECK_FALSE(test.is_alive(stopped));
  });
}

TEST_CASE("179d the level of a rule is the level of its line") {
  const std::string text = boss_with("{ decider { " + quoted("Restarting") +
                                     " { directive = restart, log-level = info }, " +
                                     quoted("Resuming") + " = resume } }");
  under_config(text, [](SeededTest& test) {
    const Ref child = child_of_boss(test);
    test.fail<Restarting>(child);
    test.fail<Resuming>(child);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].level == log::Level::info);
    CHECK(failed[0].field("failure.message") == "boom");
    CHECK(failed[0].field("decision.config_origin").starts_with("test.conf:"));
    CHECK(failed[1].level == log::Level::warning);
  });
}

}  // namespace actord::conformance
