// SPDX-License-Identifier: Apache-2.0
//
// Guardians, the bubble-walker and shutdown: items 98 to 111.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

std::vector<std::string> stopped(SeededTest& test) {
  std::vector<std::string> paths;
  for (const auto& line : test.world.events("actor.stopped"))
    paths.emplace_back(line.field("actor.path"));
  return paths;
}

bool ends_with(const std::vector<std::string>& all, const std::vector<std::string>& last) {
  return all.size() >= last.size() && std::equal(last.rbegin(), last.rend(), all.rbegin());
}

}  // namespace

TEST_CASE("98 boot creates the root, /user and /system") {
  under_seeds([](SeededTest& test) {
    for (const char* path : {"/", "/user", "/system"}) {
      const Ref guardian = test.find(path);
      REQUIRE(guardian);
      CHECK(test.is_alive(guardian));
      CHECK(test.world.path(guardian.value) == path);
    }
    CHECK(test.world.is_ready());
  });
}

TEST_CASE("99 top-level actors are children of /user, the runtime's own of /system") {
  actor::Strategy resuming;
  resuming.otherwise = actor::Strategy::Otherwise::resume;
  SeededTest::Setup setup;
  setup.before_start = [&](SeededTest& test) { test.user.options.strategy = resuming; };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        CHECK(test.world.path(child.value) == "/user/child");
        CHECK(test.find("/user/child") == child);
        CHECK(test.is_alive(test.find("/system/log")));
        test.fail<Restarting>(child);
        CHECK(test.world.incarnation(child.value) == 0);
        CHECK(test.answers(child));
      },
      setup);
}

TEST_CASE("100 a guardian that fails is stopped, with one error line, and the system ends") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context&) { throw 42; });
    CHECK(test.world.has_stopped());
    const auto lines = test.world.events("guardian.terminated");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user");
    CHECK(lines[0].field("failure.type") == "int");
    CHECK(test.world.system().termination_cause().kind ==
          system::TerminationCause::Kind::guardian_failed);
  });
}

TEST_CASE("101 the system stops /user, then /system, then the root") {
  under_seeds([](SeededTest& test) {
    const Ref one = test.spawn("one");
    test.spawn_under(one, "below");
    test.spawn("two");
    CHECK(test.world.shut_down());
    const auto paths = stopped(test);
    CHECK(paths.size() == 7);
    CHECK(ends_with(paths, {"/user", "/system/log", "/system", "/"}));
    CHECK(test.came_in_order({"below post_stop 0", "one post_stop 0"}));
  });
}

TEST_CASE("101 a stop of /user by hand stops the system") {
  under_seeds([](SeededTest& test) {
    test.spawn("one");
    test.stop(test.find("/user"));
    CHECK(test.world.has_stopped());
    CHECK(ends_with(stopped(test), {"/user", "/system/log", "/system", "/"}));
  });
}

TEST_CASE("101 the system is terminating from the moment a guardian is stopped by hand") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stop(ctx.find("/user")); });
    for (int n = 0; n < 20; ++n) test.note(child, n);  // more than one slice handles
    test.world.run();
    CHECK(test.world.has_stopped());
    CHECK(test.world.events("deadletter").empty());
    CHECK(test.world.system().is_terminating());
  });
}

TEST_CASE("102 what user actors log in postStop is logged, and the log actor stops after them") {
  under_seeds([](SeededTest& test) {
    for (int i = 0; i < 5; ++i) {
      test.spawn("child-" + std::to_string(i), {.post_stop = [](ScriptedActor&, Context& ctx) {
                   ctx.event(Level::info, "test.farewell", "farewell");
                 }});
    }
    CHECK(test.world.shut_down());
    CHECK(test.world.events("test.farewell").size() == 5);
    CHECK(ends_with(stopped(test), {"/user", "/system/log", "/system", "/"}));
  });
}

TEST_CASE("103 a guardian that is restarted keeps its children") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const Ref user = test.find("/user");
    actor::FailurePtr cause(new actor::Failure);
    cause->types = &test.world.system().chains.intern({"test::Cause"});
    test.send_system(user, actor::SystemMessage::suspend());
    test.send_system(user, actor::SystemMessage::recreate(cause, 0, false));
    test.world.run();
    CHECK(test.world.incarnation(user.value) == 1);
    CHECK(test.find("/user/child") == child);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
    CHECK(test.answers(test.spawn("another")));
  });
}

TEST_CASE("104 a Kill sent to /user ends the system") {
  under_seeds([](SeededTest& test) {
    test.spawn("child");
    test.world.send(test.find("/user").value, Kill{});
    CHECK(test.world.has_stopped());
    CHECK(test.count("child post_stop 0") == 1);
    CHECK(test.world.system().termination_cause().kind ==
          system::TerminationCause::Kind::guardian_failed);
    CHECK(test.world.system().termination_cause().path == "/user");
  });
}

TEST_CASE("105 any other message to a guardian is unhandled, no dead letter, and harmless") {
  under_seeds([](SeededTest& test) {
    for (const char* path : {"/", "/user", "/system"}) test.note(test.find(path), 1);
    test.world.run();
    CHECK(test.world.events("message.unhandled").size() == 3);
    CHECK(test.world.events("deadletter").empty());
    CHECK(test.answers(test.spawn("child")));
  });
}

TEST_CASE("106 a failure of the root itself ends the system, with a cause of its own") {
  under_seeds([](SeededTest& test) {
    test.spawn("child");
    test.world.send(test.find("/").value, Kill{});
    CHECK(test.world.has_stopped());
    CHECK(test.count("child post_stop 0") == 1);
    const auto lines = test.world.events("guardian.terminated");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/");
    const system::TerminationCause& termination_cause = test.world.system().termination_cause();
    CHECK(termination_cause.kind == system::TerminationCause::Kind::root_failed);
    REQUIRE(termination_cause.failure);
    CHECK(termination_cause.failure->types->type() == "actord::Killed");
  });
}

TEST_CASE("108 the system has stopped only after all actors have") {
  under_seeds([](SeededTest& test) {
    Ref last = test.spawn("top");
    std::vector<Ref> all{last};
    for (int i = 0; i < 10; ++i)
      all.push_back(last = test.spawn_under(last, "below-" + std::to_string(i)));
    test.world.system().terminate();
    while (test.world.step()) {
      if (!test.world.has_stopped()) continue;
      for (const Ref each : all) CHECK_FALSE(test.is_alive(each));
    }
    CHECK(test.world.has_stopped());
    CHECK(test.living == 0);
  });
}

TEST_CASE("109 during shutdown creation is refused for good, and nothing created is left alive") {
  under_seeds([](SeededTest& test) {
    Ref late;
    const Ref child = test.spawn(
        "child", {.post_stop = [&](ScriptedActor& actor, Context& ctx) {
          CHECK_THROWS_AS(late = ctx.spawn<ScriptedActor>("late", &actor.test(), Script{}),
                          const Error&);
        }});
    test.world.system().terminate();
    for (int i = 0; i < 5; ++i) {
      CHECK_THROWS(test.spawn("newcomer"));
      test.world.step();
    }
    test.world.run();
    CHECK(test.world.has_stopped());
    CHECK_THROWS(test.spawn("newcomer"));
    CHECK_FALSE(late);
    CHECK(test.life_of("newcomer") == "");
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("111 terminate is idempotent") {
  under_seeds([](SeededTest& test) {
    test.spawn("child");
    test.world.system().terminate();
    test.world.system().terminate();
    CHECK(test.world.shut_down());
    CHECK(test.world.shut_down());
    CHECK(test.count("child post_stop 0") == 1);
    CHECK(test.world.system().termination_cause().kind == system::TerminationCause::Kind::asked);
  });
}

}  // namespace actord::conformance
