// SPDX-License-Identifier: Apache-2.0
//
// Failures in great number: the storm guard, and the limit on lines about failures (supervision.md,
// section 4).
#include "configured.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t second = 1'000 * ms;
constexpr actor::StormGuard guard{
    .threshold = 3, .within_ns = 10 * second, .delay_min_ns = 10 * ms, .delay_max_ns = 40 * ms};

SeededTest::Setup guarded(actor::StormGuard with = guard) {
  SeededTest::Setup setup;
  setup.options.storm_guard = with;
  return setup;
}

SeededTest::Setup limited(std::int64_t burst) {
  SeededTest::Setup setup;
  setup.options.failure_burst = burst;
  return setup;
}

Strategy restart_all() { return all_for_one().otherwise(Directive::restart); }
Strategy hundred_restarts() {
  return one_for_one({.max_restarts = 100}).otherwise(Directive::restart);
}

Strategy resume_all() { return one_for_one().otherwise(Directive::resume); }
Strategy resume_three() { return one_for_one({.max_restarts = 3}).otherwise(Directive::resume); }

/// Never starts; counts the attempts.
Script unstartable(int& attempts) {
  return {.pre_start = [&attempts](ScriptedActor&, Context&) {
    ++attempts;
    throw Stopping("port in use");
  }};
}

/// Writes no line about a failure of a child.
class Telling : public Judge {
 public:
  using Judge::Judge;
  void log_failure(Context&, const Failure&, Directive) override { record("log_failure"); }
};

/// The delay of the next restart after a failure of `child`, in ms; 0: none.
std::int64_t delay_after_failure(SeededTest& test, Ref child) {
  test.fail<Restarting>(child);
  const std::uint32_t before = test.world.incarnation(child.value);
  if (test.answers(child)) return 0;
  std::int64_t waited = 0;
  for (; test.world.incarnation(child.value) == before && waited < 1000; ++waited)
    test.world.advance(1ms);
  return waited;
}

}  // namespace

TEST_CASE("storm: as many restarts as the threshold are not delayed, and each further one is") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 3; ++i) CHECK(delay_after_failure(test, child) == 0);
        CHECK(test.world.events("supervisor.storm").empty());
        CHECK(delay_after_failure(test, child) == 10);
        CHECK(test.world.events("supervisor.storm").size() == 1);
        CHECK(delay_after_failure(test, child) == 20);
        CHECK(delay_after_failure(test, child) == 40);
        CHECK(delay_after_failure(test, child) == 40);
        const auto storm = test.world.events("supervisor.storm");
        REQUIRE(storm.size() == 1);
        CHECK(storm[0].level == log::Level::warning);
        CHECK(storm[0].field("actor.path") == "/user/boss/child");
        CHECK(storm[0].field("supervisor.path") == "/user/boss");
        CHECK(storm[0].field("decision.rule") == "actord::conformance::Restarting");
      },
      guarded());
}

TEST_CASE("storm: restarts outside of the window do not count") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 12; ++i) {
          CHECK(delay_after_failure(test, child) == 0);
          if (i % 3 == 2) test.world.advance(11s);
        }
      },
      guarded());
}

TEST_CASE("storm: one life of the longest delay ends it, and the log says so") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 4; ++i) delay_after_failure(test, child);
        CHECK(delay_after_failure(test, child) == 20);
        test.world.advance(39ms);
        CHECK(delay_after_failure(test, child) == 40);
        test.world.advance(40ms);
        CHECK(delay_after_failure(test, child) == 0);
        test.world.advance(2s);
        const auto over = test.world.events("supervisor.storm-over");
        REQUIRE(over.size() == 1);
        CHECK(over[0].field("actor.path") == "/user/boss/child");
        CHECK(over[0].field("restart.delayed") == "3");
      },
      guarded());
}

TEST_CASE("storm: during a delay the mailbox takes as much as always") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 3; ++i) delay_after_failure(test, child);
        const auto& dead = test.read_dead_letters();
        test.fail<Restarting>(child);
        for (int i = 0; i < 5000; ++i) test.note(child, i);
        test.world.advance(10ms);
        CHECK(test.count("child got 4999") == 1);
        CHECK(dead.empty());
      },
      guarded());
}

TEST_CASE("storm: an all-for-one group has one count") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Boss<&restart_all>>("boss");
        const Ref one = test.spawn_under(boss, "one"), two = test.spawn_under(boss, "two");
        CHECK(delay_after_failure(test, one) == 0);
        CHECK(delay_after_failure(test, two) == 0);
        CHECK(delay_after_failure(test, one) == 0);
        CHECK(delay_after_failure(test, two) == 10);
        CHECK(test.world.incarnation(one.value) == 4);
      },
      guarded());
}

TEST_CASE("storm: a child that is new in a group is delayed only while the group has failures") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Boss<&restart_all>>("boss");
        const Ref old = test.spawn_under(boss, "old");
        for (int i = 0; i < 3; ++i) CHECK(delay_after_failure(test, old) == 0);
        CHECK(delay_after_failure(test, old) == 10);
        CHECK(delay_after_failure(test, test.spawn_under(boss, "new")) == 20);
        test.world.advance(60ms);
        CHECK(delay_after_failure(test, test.spawn_under(boss, "newest")) == 0);
      },
      guarded());
}

TEST_CASE("storm: creations that fail again after each Resume are delayed as restarts are") {
  for (const auto strategy : {&resume_all, &resume_three}) {
    under_seeds(
        [strategy](SeededTest& test) {
          const bool is_limited = strategy == &resume_three;
          const Ref boss = is_limited ? test.spawn<Boss<&resume_three>>("boss")
                                      : test.spawn<Boss<&resume_all>>("boss");
          int attempts = 0;
          test.spawn_under(boss, "child", unstartable(attempts));
          CHECK(attempts == 4);  // the first one, and three at once
          test.world.advance(10ms);
          CHECK(attempts == 5);
          test.world.advance(20ms);
          CHECK(attempts == 6);
          CHECK(test.world.events("supervisor.storm").size() == 1);
          const auto failed = test.world.events("actor.failed");
          CHECK(failed[2].field("restart.delay").empty());
          CHECK_FALSE(failed[3].field("restart.delay").empty());
        },
        guarded());
  }
}

TEST_CASE("storm: a Resume below a supervisor that escalates delays the creation") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn_under(test.spawn<Boss<&resume_all>>("root"), "boss",
                                          deciding(Directive::escalate));
        int attempts = 0;
        test.spawn_under(boss, "child", unstartable(attempts));
        CHECK(attempts == 4);
        CHECK(test.answers(boss));
        test.world.advance(10ms);
        CHECK(attempts == 5);
      },
      guarded());
}

TEST_CASE("storm: a strategy with a limit of its own is left alone") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Boss<&hundred_restarts>>("boss"), "child");
        for (int i = 0; i < 10; ++i) CHECK(delay_after_failure(test, child) == 0);
      },
      guarded());
}

TEST_CASE("storm: of many at one time sixteen are told one by one, and the others as a number") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        for (int i = 0; i < 20; ++i) {
          const Ref child = test.spawn_under(boss, "child" + std::to_string(i));
          for (int restarts = 0; restarts < 4; ++restarts) test.fail<Restarting>(child);
        }
        test.world.advance(3s);
        CHECK(test.world.events("supervisor.storm").size() == 16);
        CHECK(test.world.events("supervisor.storm-over").size() == 16);
        for (const std::string_view of : {"supervisor.storm", "supervisor.storm-over"}) {
          int count = 0;
          for (const auto& line : test.world.events("log.suppressed")) {
            if (line.field("of") == of) count += std::stoi(std::string{line.field("count")});
          }
          CHECK(count == 4);
        }
      },
      guarded({.threshold = 3,
               .within_ns = 10 * second,
               .delay_min_ns = 1'000 * ms,
               .delay_max_ns = 1'000 * ms}));
}

TEST_CASE("storm: an actor that is stopped during one ends it") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 4; ++i) delay_after_failure(test, child);
        test.stop(child);
        test.world.advance(2s);
        CHECK(test.world.events("supervisor.storm-over").size() == 1);
      },
      guarded());
}

TEST_CASE("storm: the first failures of a kind are logged, and of the others their number") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
        CHECK(test.world.events("actor.failed").size() == 5);
        CHECK(test.world.events("actor.restarted").size() == 5);
        test.fail<Resuming>(child);  // another kind
        CHECK(test.world.events("actor.failed").size() == 6);
        CHECK(test.world.events("actor.resumed").size() == 1);
        test.world.advance(1s);
        const auto numbers = test.world.events("log.suppressed");
        REQUIRE(numbers.size() == 1);
        CHECK(numbers[0].level == log::Level::error);  // that of the lines that it stands for
        CHECK(numbers[0].field("of") == "actor.failed");
        CHECK(numbers[0].field("count") == "15");
        CHECK(numbers[0].field("actor.path") == "/user/boss/child");
        CHECK(numbers[0].field("failure.type") == "actord::conformance::Restarting");
        CHECK(numbers[0].field("decision.rule") == "actord::conformance::Restarting");
        CHECK(numbers[0].field("first.id") != numbers[0].field("last.id"));
        test.world.advance(60s);
        CHECK(test.world.events("log.suppressed").size() == 1);
        test.fail<Restarting>(child);  // quiet for so long
        CHECK(test.world.events("actor.failed").size() == 7);
      },
      limited(5));
}

TEST_CASE("storm: a hook that fails with each restart is counted, too") {
  under_seeds(
      [](SeededTest& test) {
        const Script script{.pre_restart = [](ScriptedActor&, Context&, const Failure&) {
          throw Stopping("hook");
        }};
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child", script);
        for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
        CHECK(test.world.events("actor.pre_restart-failed").size() == 5);
        test.world.advance(1s);
        const auto numbers = test.world.events("log.suppressed");
        REQUIRE(numbers.size() == 2);
        CHECK(numbers[0].field("of") == "actor.pre_restart-failed");
        CHECK(numbers[0].field("count") == "15");
        CHECK(numbers[0].field("actor.path") == "/user/boss/child");
        CHECK(numbers[0].field("failure.type") == "actord::conformance::Stopping");
        CHECK(numbers[0].field("first.id").empty());
        CHECK(numbers[1].field("of") == "actor.failed");
        CHECK(numbers[1].field("count") == "15");
      },
      limited(5));
}

TEST_CASE("storm: hooks that fail at the stop of many actors are counted") {
  under_seeds(
      [](SeededTest& test) {
        const Script script{.post_stop = [](ScriptedActor&, Context&) { throw Stopping("hook"); }};
        const Ref boss = test.spawn<Judge>("boss");
        for (int i = 0; i < 20; ++i) test.stop(test.spawn_under(boss, "", script));
        test.world.advance(2s);
        CHECK(test.world.events("actor.post_stop-failed").size() == 5);
        const auto numbers = test.world.events("log.suppressed");
        REQUIRE(numbers.size() == 1);
        CHECK(numbers[0].field("of") == "actor.post_stop-failed");
        CHECK(numbers[0].field("count") == "15");
        CHECK(numbers[0].field("actor.path").empty());  // of several actors
      },
      limited(5));
}

TEST_CASE("storm: log_failure replaces a line, and is not called for a failure without one") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Telling>("boss"), "child");
        for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
        CHECK(test.count("boss log_failure") == 5);
      },
      limited(5));
}

TEST_CASE("storm: where only errors are written, the number of others is one, too") {
  SeededTest::Setup setup = limited(5);
  setup.options.level = log::Level::error;
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn_under(test.spawn<Judge>("boss"), "child");
        for (int i = 0; i < 20; ++i) test.fail<Restarting>(child);
        for (int i = 0; i < 20; ++i) test.fail<Resuming>(child);  // a warning, which is off
        test.world.advance(1s);
        const auto numbers = test.world.events("log.suppressed");
        REQUIRE(numbers.size() == 1);
        CHECK(numbers[0].field("count") == "15");
      },
      setup);
}

TEST_CASE("storm: every failure is in the log, or in a number of it") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        std::vector<Ref> children;
        for (int i = 0; i < 30; ++i)
          children.push_back(test.spawn_under(boss, "c" + std::to_string(i)));
        int failures = 0;
        for (int round = 0; round < 40; ++round) {
          for (const Ref child : children) test.fail<Restarting>(child), ++failures;
          test.world.advance(300ms);
        }
        CHECK(test.world.shut_down());
        std::size_t told = test.world.events("actor.failed").size();
        CHECK(told < 10);
        CHECK(test.world.events("actor.restarted").size() == told);
        for (const auto& line : test.world.events("log.suppressed"))
          told += std::stoul(std::string{line.field("count")});
        CHECK(told == static_cast<std::size_t>(failures));
      },
      limited(5));
}

TEST_CASE("storm: of many siblings that restart together only some write a line") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Boss<&restart_all>>("boss");
        Ref child;
        for (int i = 0; i < 50; ++i) child = test.spawn_under(boss, "c" + std::to_string(i));
        test.fail<Restarting>(child);
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("decision.affected") == "50");
        CHECK(test.world.events("actor.restarted").size() == 17);
      },
      limited(5));
}

TEST_CASE("storm: configured children say nothing of a restart that is only counted") {
  SeededTest::Setup setup = boot({{.name = "boss", .children = {{"one"}, {"two"}}}});
  setup.options.failure_burst = 2;
  under_seeds(
      [](SeededTest& test) {
        const auto lines = [&](std::string_view event) {
          int n = 0;
          for (const auto& line : test.world.events(event)) {
            const std::string_view path = line.field("actor.path");
            n += static_cast<int>(path.starts_with("/user/boss/") && path != "/user/boss");
            CHECK((line.field("collateral_of").empty() || path != "/user/boss"));
          }
          return n;
        };
        for (int i = 0; i < 10; ++i) test.fail<Restarting>(test.find("/user/boss"));
        CHECK(test.world.events("actor.failed").size() == 2);
        CHECK(lines("actor.started") == 2 + 2 * 2);
        CHECK(lines("actor.stopped") == 2 * 2);
        const auto started = test.world.events("actor.started").back();
        CHECK(started.field("collateral_of") ==
              test.world.events("actor.failed").back().field("failure.id"));
      },
      setup);
}

TEST_CASE("storm: the stop of a configured actor is always logged") {
  Nodes nodes;
  for (int i = 0; i < 8; ++i) nodes.push_back({"c" + std::to_string(i)});
  SeededTest::Setup setup = boot(nodes);
  setup.options.failure_burst = 5;
  under_seeds(
      [](SeededTest& test) {
        for (int i = 0; i < 8; ++i)
          test.world.tell(test.find("/user/c" + std::to_string(i)).value, Kill{});
        test.world.run();
        CHECK(test.world.events("actor.failed").size() == 8);
      },
      setup);
}

}  // namespace actord::conformance
