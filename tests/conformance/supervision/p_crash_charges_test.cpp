// SPDX-License-Identifier: Apache-2.0
//
// A configured actor that has crashed an earlier process: its supervisor judges the crash before
// the actor is created.
#include "configured.hpp"
#include "system/crash_charges.hpp"

namespace actord::conformance {

namespace {

using actor::CrashCharge;
using State = system::ConfiguredActor::State;

constexpr std::int64_t second_ns = 1'000'000'000;

CrashCharge crash(std::vector<CrashCharge::Crash> earlier = {}) {
  CrashCharge charge;
  charge.id = "3ngc6k4e";
  charge.signal = "SIGSEGV";
  charge.what = "SIGSEGV ended actord";
  charge.earlier = std::move(earlier);
  return charge;
}

CrashCharge quarantine() {
  CrashCharge charge = crash();
  charge.is_quarantined = true;
  return charge;
}

/// As boot(), with a charge of the actor at `path`.
SeededTest::Setup charged(const Nodes& nodes, const std::string& path, const CrashCharge& charge,
                          bool is_degradable = true) {
  SeededTest::Setup setup = boot(nodes);
  setup.options.boots_degraded = is_degradable;
  setup.before_start = [before = setup.before_start, path, charge](SeededTest& test) {
    before(test);
    test.world.system().crash_charges().add(path, charge);
  };
  return setup;
}

system::ConfiguredActor told(SeededTest& test, std::string_view path) {
  const auto found = test.world.system().configured_actors().find(path);
  REQUIRE(found.has_value());
  return *found;
}

actor::Strategy deciding_crashes(actor::Directive directive, std::string type) {
  actor::Strategy strategy = always(actor::Strategy::Otherwise::escalate);
  actor::Rule& rule = strategy.rules.emplace_back();
  rule.type = std::move(type);
  rule.directive = directive;
  return strategy;
}

/// The actor has stopped, and starts again with this charge, an hour after the boot.
void start_charged(SeededTest& test, std::string_view path, const CrashCharge& charge) {
  test.world.advance(1h);
  test.stop(test.find(path));
  test.world.run();
  test.world.system().crash_charges().add(std::string{path}, charge);
  CHECK(test.world.system().start_configured(path));
  test.world.run();
}

}  // namespace

TEST_CASE("179k the actor fails with the crash, is judged, and only then created") {
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.lost_children().empty());
        CHECK(test.came_in_order({"one pre_start 0", "bad new 0", "bad pre_start 0"}));
        CHECK(test.life_of("bad") == "new 0, pre_start 0");
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("actor.path") == "/user/bad");
        CHECK(failed[0].field("failure.type") == "actord::crash::SIGSEGV");
        CHECK(failed[0].field("failure.phase") == "crash");
        CHECK(failed[0].field("failure.details.crash") == "3ngc6k4e");
        CHECK(failed[0].field("decision.directive") == "restart");
        CHECK(told(test, "/user/bad").state == State::up);
      },
      charged({{"one"}, {"bad"}, {"last"}}, "/user/bad", crash()));
}

TEST_CASE("179k a rule may name the signal, any signal, a crash, or all failures") {
  for (const char* type : {"actord::crash::SIGSEGV", "actord::crash::Signal", "actord::WorkerCrash",
                           "actord::Failure", "std::exception"}) {
    CAPTURE(type);
    const Nodes nodes{
        {"level", {{"bad"}, {"beside"}}, deciding_crashes(actor::Directive::stop, type), true}};
    under_seeds(
        [](SeededTest& test) {
          CHECK(test.world.is_ready());
          CHECK(test.life_of("bad") == "");
          CHECK(told(test, "/user/level/bad").is_lost());
          CHECK(test.answers(test.find("/user/level/beside")));
        },
        charged(nodes, "/user/level/bad", crash()));
  }
}

TEST_CASE("179k an exit is a crash of its own kind") {
  CrashCharge exit = crash();
  exit.signal.clear();
  under_seeds(
      [](SeededTest& test) {
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("failure.type") == "actord::crash::Exit");
        CHECK(test.life_of("bad") == "new 0, pre_start 0");
      },
      charged({{"bad"}}, "/user/bad", exit));
}

TEST_CASE("179k escalated, it is the failure of the parent, which starts the actor anew") {
  const Nodes nodes{{"level",
                     {{"bad"}, {"beside"}},
                     deciding_crashes(actor::Directive::escalate, "actord::WorkerCrash"),
                     true}};
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.events("actor.failed").size() == 1);
        CHECK(test.answers(test.find("/user/level/bad")));
        CHECK(test.answers(test.find("/user/level/beside")));
      },
      charged(nodes, "/user/level/bad", crash()));
}

TEST_CASE("179k resumed, an actor that is not there yet is created") {
  const Nodes nodes{{"level",
                     {{"bad"}},
                     deciding_crashes(actor::Directive::resume, "actord::WorkerCrash"),
                     true}};
  under_seeds([](SeededTest& test) { CHECK(test.life_of("bad") == "new 0, pre_start 0"); },
              charged(nodes, "/user/level/bad", crash()));
}

TEST_CASE("179k the restart limit counts the crashes before") {
  const Nodes nodes{{"level", {{"bad"}}, restarting(2), true}};
  under_seeds(
      [](SeededTest& test) {
        start_charged(test, "/user/level/bad", crash({{20 * second_ns, 0}}));
        CHECK(told(test, "/user/level/bad").state == State::up);
        start_charged(test, "/user/level/bad", crash({{20 * second_ns, 0}, {10 * second_ns, 0}}));
        CHECK(told(test, "/user/level/bad").reason == actor::StopReason::limit);
        CHECK(test.world.events("supervisor.limit").size() == 1);
      },
      boot(nodes));
}

TEST_CASE("179k crashes outside of the limit's window do not count") {
  Nodes nodes{{"level", {{"bad"}}, restarting(1), true}};
  nodes[0].strategy->restart_limit.within_ns = 60 * second_ns;
  under_seeds(
      [](SeededTest& test) {
        start_charged(test, "/user/level/bad", crash({{61 * second_ns, 0}}));
        CHECK(told(test, "/user/level/bad").state == State::up);
        start_charged(test, "/user/level/bad", crash({{59 * second_ns, 0}}));
        CHECK(told(test, "/user/level/bad").reason == actor::StopReason::limit);
      },
      boot(nodes));
}

TEST_CASE("179k the back-off is as long as after so many failures, unless the process lived on") {
  Nodes nodes{{"level", {{"bad"}}, restarting(), true}};
  nodes[0].strategy->backoff = actor::Backoff{.min_ns = second_ns,
                                              .max_ns = 60 * second_ns,
                                              .random_factor = 0,
                                              .reset_after_ns = 5 * second_ns};
  const auto delay = [](SeededTest& test, const CrashCharge& charge) {
    start_charged(test, "/user/level/bad", charge);
    const system::ConfiguredActor bad = told(test, "/user/level/bad");
    CHECK(bad.state == State::waiting);
    test.world.advance(2min);
    CHECK(told(test, "/user/level/bad").state == State::up);
    return bad.delay_ns / second_ns;
  };
  under_seeds(
      [&](SeededTest& test) {
        CHECK(delay(test, crash()) == 1);
        CHECK(delay(test, crash({{40 * second_ns, 0}, {20 * second_ns, 0}})) == 4);
        CHECK(delay(test, crash({{40 * second_ns, 0}, {20 * second_ns, 5 * second_ns}})) == 2);
        CrashCharge late = crash({{40 * second_ns, 0}, {20 * second_ns, 0}});
        late.last.lived_ns = 5 * second_ns;
        CHECK(delay(test, late) == 1);
      },
      boot(nodes));
}

TEST_CASE("179k a crash that was judged before counts, and is not judged again") {
  CrashCharge judged = crash();
  judged.is_judged = true;
  judged.last.ago_ns = 10 * second_ns;
  under_seeds(
      [&](SeededTest& test) {
        start_charged(test, "/user/level/bad", judged);
        CHECK(test.world.events("actor.failed").empty());
        test.fail<Restarting>(test.find("/user/level/bad"));
        CHECK(told(test, "/user/level/bad").reason == actor::StopReason::limit);
      },
      boot({{"level", {{"bad"}}, restarting(1), true}}));
}

TEST_CASE("179k a charge holds for one start") {
  under_seeds(
      [](SeededTest& test) {
        test.stop(test.find("/user/bad"));
        test.world.run();
        CHECK(test.world.system().start_configured("/user/bad"));
        test.world.run();
        CHECK(test.world.events("actor.failed").size() == 1);
        CHECK(test.life_of("bad") == "new 0, pre_start 0, post_stop 0, new 1, pre_start 1");
      },
      charged({{"bad"}}, "/user/bad", crash()));
}

TEST_CASE("179k in quarantine it is not started, and the boot goes on without it") {
  under_seeds(
      [](SeededTest& test) {
        CHECK(test.world.is_ready());
        CHECK(test.world.lost_children().empty());
        CHECK(test.life_of("bad") == "");
        CHECK(test.life_of("below") == "");
        CHECK(test.answers(test.find("/user/last")));
        const system::ConfiguredActor bad = told(test, "/user/bad");
        CHECK(bad.is_lost());
        CHECK(bad.is_quarantined);
        CHECK(bad.failure_type == "actord::crash::SIGSEGV");
        const auto line = test.world.events("actor.quarantined");
        REQUIRE(line.size() == 1);
        CHECK(line[0].field("crash.id") == "3ngc6k4e");
        CHECK(test.world.events("actor.failed").empty());
      },
      charged({{"bad", {{"below"}}, restarting()}, {"last"}}, "/user/bad", quarantine(), false));
}

TEST_CASE("179k neither a reload nor a start ends a quarantine, but an operator does") {
  under_seeds(
      [](SeededTest& test) {
        reconfigure(test, {{"bad"}});
        CHECK(test.world.system().start_configured("/user/bad"));
        test.world.run();
        CHECK(test.life_of("bad") == "");
        CHECK(test.world.system().crash_charges().release("/user/bad"));
        CHECK(test.world.system().start_configured("/user/bad"));
        test.world.run();
        CHECK(test.life_of("bad") == "new 0, pre_start 0");
        CHECK_FALSE(told(test, "/user/bad").is_quarantined);
        CHECK_FALSE(test.world.system().crash_charges().release("/user/bad"));
      },
      charged({{"bad"}}, "/user/bad", quarantine()));
}

}  // namespace actord::conformance
