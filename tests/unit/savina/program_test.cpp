// SPDX-License-Identifier: Apache-2.0
//
// What a program does whatever it runs: with masters of the test, and with failures in the middle.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "savina/program.hpp"
#include "savina/thread_ring.hpp"

using actord::testkit::Moment;
using actord::testkit::Probe;
using actord::testkit::TestSystem;
using namespace std::chrono_literals;

namespace {

struct ScriptConfig {
  std::int64_t result = 1;              // is reported; right is 1
  std::chrono::nanoseconds takes = 0s;  // until it is reported
  std::chrono::nanoseconds deadline = 1min;
};
ACTORD_FIELDS(ScriptConfig, result, takes, deadline)

class ScriptedMaster : public savina::Escalating {
 public:
  using Config = ScriptConfig;
  static constexpr std::string_view program = "Scripted";
  static constexpr std::string_view doc = "Reports what its config says.";
  static std::int64_t expected(const Config&) { return 1; }

  explicit ScriptedMaster(const Config& config) : config_(config) {}
  void report(actord::Context& ctx, const savina::Token&) {
    ctx.tell(ctx.parent(), savina::Finished{config_.result, 5});
  }
  using Receive = actord::Handlers<&ScriptedMaster::report>;

 private:
  void pre_start(actord::Context& ctx) override {
    ctx.start_timer("report", config_.takes, savina::Token{});
  }
  const Config config_;
};
using Scripted = savina::Program<ScriptedMaster>;

ScriptConfig script(std::int64_t result, std::chrono::nanoseconds takes = 0s,
                    std::chrono::nanoseconds deadline = 1min) {
  ScriptConfig config;
  config.result = result;
  config.takes = takes;
  config.deadline = deadline;
  return config;
}

}  // namespace

TEST_SUITE_BEGIN("savina/program");

TEST_CASE("a wrong result is a failure of the program that names both results") {
  TestSystem system({.guardian = actord::one_for_one().otherwise(actord::Directive::stop)});
  system.use(actord_plugin_v1());
  system.spawn<Scripted>("program", script(2, 1s));
  system.expect_event("actor.failed",
                      {{"actor.path", "/user/program"},
                       {"failure.type", "savina::WrongResult"},
                       {"failure.details.result", 2},
                       {"failure.details.expected", 1}},
                      2s);
  system.expect_no_event("savina.finished");
  CHECK_FALSE(system.find("/user/program"));
}

TEST_CASE("a program that is restarted runs again from the start") {
  TestSystem system;
  system.use(actord_plugin_v1());
  system.fail<std::runtime_error>({.path = "/user/program/run-1", .moment = Moment::message});
  const actord::Ref program = system.spawn<Scripted>("program", script(1, 1s));
  system.expect_event("savina.finished", {}, 5s);
  CHECK(system.restarts(program) == 1);
}

TEST_CASE("an actor of a run that fails makes the program fail, and its next run is right") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    TestSystem system({.seed = seed});
    system.use(actord_plugin_v1());
    system.fail<std::runtime_error>(
        {.path = "/user/ring/run-1/member-3", .moment = Moment::message, .after = 2});
    const actord::Ref ring = system.spawn("ring", "savina/ThreadRing", "actors = 5, hops = 1000");
    CHECK(system.expect_event("savina.finished").field("savina.result") == "0");
    CHECK(system.restarts(ring) == 1);
    system.expect_event("actor.failed", {{"actor.path", "/user/ring/run-1/member-3"}});
  }
}

TEST_CASE("who asks for a run that fails gets its failure as the answer") {
  TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref program = system.spawn<Scripted>("program", script(2, 1s));
  Probe probe = system.probe("probe");
  CHECK_THROWS_WITH_AS(probe.ask<savina::Result>(program, savina::Run{}, 10s),
                       doctest::Contains("the result is wrong"), actord::testkit::Unmet);
}

TEST_CASE("a Run during a run waits until that has ended") {
  TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref program = system.spawn<Scripted>("program", script(1, 1s));
  Probe probe = system.probe("probe");
  for (int i = 0; i < 3; ++i) probe.send(program, savina::Run{});
  probe.expect_none(1900ms);
  const auto first = probe.expect<savina::Result>(200ms);
  CHECK(first.program == "Scripted");
  CHECK(first.messages == 5);
  CHECK(first.milliseconds == doctest::Approx(1'000));
  probe.expect_none(900ms);
  probe.expect<savina::Result>(200ms);
  probe.expect<savina::Result>(1s);
  CHECK(system.events("savina.finished").size() == 4);
}

TEST_CASE("a run that takes longer than its deadline is a failure") {
  TestSystem system({.guardian = actord::one_for_one().otherwise(actord::Directive::stop)});
  system.use(actord_plugin_v1());
  system.spawn<Scripted>("program", script(1, 1h, 10s));
  system.advance(9s);
  system.expect_no_event("actor.failed");
  system.advance(2s);
  system.expect_event("actor.failed",
                      {{"actor.path", "/user/program"}, {"failure.type", "savina::Unfinished"}});
}

TEST_CASE("a master that is stopped by others is a failure of its program") {
  TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref program = system.spawn<Scripted>("program", script(1, 1s));
  system.stop(system.find("/user/program/run-1"));
  system.run();
  system.expect_event("actor.failed",
                      {{"actor.path", "/user/program"}, {"failure.type", "savina::Unfinished"}});
  system.expect_event("savina.finished", {}, 2s);
  CHECK(system.restarts(program) == 1);
}

TEST_CASE("what only the actors of a run may send is refused from others") {
  TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref program = system.spawn<Scripted>("program", script(1, 1s));
  Probe probe = system.probe("probe");
  CHECK_THROWS_WITH_AS(probe.ask<savina::Result>(program, savina::Finished{1, 1}),
                       doctest::Contains("only the master"), actord::testkit::Unmet);
  CHECK_THROWS_WITH_AS(probe.ask<savina::Result>(program, savina::Deadline{}),
                       doctest::Contains("has not passed"), actord::testkit::Unmet);
  system.expect_event("savina.finished", {}, 2s);
  system.expect_no_event("actor.failed");
}

TEST_CASE("a program that is stopped in a run tells who has asked for it") {
  TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref program = system.spawn<Scripted>("program", script(1, 1s));
  system.expect_event("savina.finished", {}, 2s);
  Probe probe = system.probe("probe");
  system.fail_next<std::runtime_error>(program);
  CHECK_THROWS_AS(probe.ask<savina::Result>(program, savina::Run{}), actord::testkit::Unmet);
  CHECK(system.shut_down());
  system.expect_no_event("actor.post_stop-failed");
}

TEST_SUITE_END();
