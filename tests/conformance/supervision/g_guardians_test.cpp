// SPDX-License-Identifier: Apache-2.0
//
// Guardians, the bubble-walker and the way down: items 98 to 111.
#include "play.hpp"

namespace actord::conformance {

namespace {

std::vector<std::string> stopped(Play& play) {
  std::vector<std::string> paths;
  for (const auto& line : play.world.events("actor.stopped"))
    paths.emplace_back(line.field("actor.path"));
  return paths;
}

bool ends_with(const std::vector<std::string>& all, const std::vector<std::string>& last) {
  return all.size() >= last.size() && std::equal(last.rbegin(), last.rend(), all.rbegin());
}

}  // namespace

TEST_CASE("98 boot creates the root, /user and /system") {
  under_seeds([](Play& play) {
    for (const char* path : {"/", "/user", "/system"}) {
      const Ref guardian = play.find(path);
      REQUIRE(guardian);
      CHECK(play.is_alive(guardian));
      CHECK(play.world.path(guardian.value) == path);
    }
    CHECK(play.world.is_ready());
  });
}

TEST_CASE("99 what is created at the top lives under /user, the runtime's own under /system") {
  actor::Strategy resuming;
  resuming.otherwise = actor::Strategy::Otherwise::resume;
  Play::Setup setup;
  setup.before_start = [&](Play& play) { play.user.strategy = resuming; };
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        CHECK(play.world.path(child.value) == "/user/child");
        CHECK(play.find("/user/child") == child);
        CHECK(play.is_alive(play.find("/system/log")));
        play.fail<Restarting>(child);
        CHECK(play.world.incarnation(child.value) == 0);
        CHECK(play.answers(child));
      },
      setup);
}

TEST_CASE("100 a guardian that fails is stopped, with one error line, and the system ends") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context&) { throw 42; });
    CHECK(play.world.has_stopped());
    const auto lines = play.world.events("guardian.terminated");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/user");
    CHECK(lines[0].field("failure.type") == "int");
    CHECK(play.world.system().ending().kind == system::Ending::Kind::guardian_failed);
  });
}

TEST_CASE("101 the way down: /user, then /system, then the root") {
  under_seeds([](Play& play) {
    const Ref one = play.spawn("one");
    play.spawn_under(one, "below");
    play.spawn("two");
    CHECK(play.world.shut_down());
    const auto paths = stopped(play);
    CHECK(paths.size() == 7);
    CHECK(ends_with(paths, {"/user", "/system/log", "/system", "/"}));
    CHECK(play.came_in_order({"below post_stop 0", "one post_stop 0"}));
  });
}

TEST_CASE("101 /user stopped by hand takes the system with it") {
  under_seeds([](Play& play) {
    play.spawn("one");
    play.stop(play.find("/user"));
    CHECK(play.world.has_stopped());
    CHECK(ends_with(stopped(play), {"/user", "/system/log", "/system", "/"}));
  });
}

TEST_CASE("101 a guardian stopped by hand is the system going down from its first moment on") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.queue(child, [](Puppet&, Context& ctx) { ctx.stop(ctx.find("/user")); });
    for (int n = 0; n < 20; ++n) play.note(child, n);  // more than a slice
    play.world.run();
    CHECK(play.world.has_stopped());
    CHECK(play.world.events("deadletter").empty());
    CHECK(play.world.system().is_terminating());
  });
}

TEST_CASE("102 what user actors log in postStop is logged, and the log actor stops after them") {
  under_seeds([](Play& play) {
    for (int i = 0; i < 5; ++i) {
      play.spawn("child-" + std::to_string(i), {.post_stop = [](Puppet&, Context& ctx) {
                   ctx.event(Level::info, "test.farewell", "farewell");
                 }});
    }
    CHECK(play.world.shut_down());
    CHECK(play.world.events("test.farewell").size() == 5);
    CHECK(ends_with(stopped(play), {"/user", "/system/log", "/system", "/"}));
  });
}

TEST_CASE("103 a guardian that is restarted keeps its children") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const Ref user = play.find("/user");
    actor::SystemBody body;
    auto* const cause = new actor::Failure;
    cause->types = &play.world.system().chains.intern({"test::Cause"});
    body.failure = actor::FailurePtr(cause).release();
    play.order(user, actor::Order::suspend);
    play.order(user, actor::Order::recreate, body);
    play.world.run();
    CHECK(play.world.incarnation(user.value) == 1);
    CHECK(play.find("/user/child") == child);
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(play.answers(child));
    CHECK(play.answers(play.spawn("another")));
  });
}

TEST_CASE("104 a Kill sent to /user ends the system") {
  under_seeds([](Play& play) {
    play.spawn("child");
    play.world.send(play.find("/user").value, Kill{});
    CHECK(play.world.has_stopped());
    CHECK(play.count("child post_stop 0") == 1);
    CHECK(play.world.system().ending().kind == system::Ending::Kind::guardian_failed);
    CHECK(play.world.system().ending().path == "/user");
  });
}

TEST_CASE("105 any other message to a guardian is unhandled, no dead letter, and harmless") {
  under_seeds([](Play& play) {
    for (const char* path : {"/", "/user", "/system"}) play.note(play.find(path), 1);
    play.world.run();
    CHECK(play.world.events("message.unhandled").size() == 3);
    CHECK(play.world.events("deadletter").empty());
    CHECK(play.answers(play.spawn("child")));
  });
}

TEST_CASE("106 what the root itself fails with ends the system, and is told apart") {
  under_seeds([](Play& play) {
    play.spawn("child");
    play.world.send(play.find("/").value, Kill{});
    CHECK(play.world.has_stopped());
    CHECK(play.count("child post_stop 0") == 1);
    const auto lines = play.world.events("guardian.terminated");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("actor.path") == "/");
    const system::Ending& ending = play.world.system().ending();
    CHECK(ending.kind == system::Ending::Kind::root_failed);
    REQUIRE(ending.failure);
    CHECK(ending.failure->types->type() == "actord::Killed");
  });
}

TEST_CASE("108 the system has stopped only after all actors have") {
  under_seeds([](Play& play) {
    Ref last = play.spawn("top");
    std::vector<Ref> all{last};
    for (int i = 0; i < 10; ++i)
      all.push_back(last = play.spawn_under(last, "below-" + std::to_string(i)));
    play.world.system().terminate();
    while (play.world.step()) {
      if (!play.world.has_stopped()) continue;
      for (const Ref each : all) CHECK_FALSE(play.is_alive(each));
    }
    CHECK(play.world.has_stopped());
    CHECK(play.living == 0);
  });
}

TEST_CASE("109 during shutdown creation is refused for good, and nothing created is left alive") {
  under_seeds([](Play& play) {
    Ref late;
    const Ref child = play.spawn(
        "child", {.post_stop = [&](Puppet& puppet, Context& ctx) {
          CHECK_THROWS_AS(late = ctx.spawn<Puppet>("late", &puppet.play(), Part{}), const Error&);
        }});
    play.world.system().terminate();
    for (int i = 0; i < 5; ++i) {
      CHECK_THROWS(play.spawn("newcomer"));
      play.world.step();
    }
    play.world.run();
    CHECK(play.world.has_stopped());
    CHECK_THROWS(play.spawn("newcomer"));
    CHECK_FALSE(late);
    CHECK(play.life_of("newcomer") == "");
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("111 terminate is idempotent") {
  under_seeds([](Play& play) {
    play.spawn("child");
    play.world.system().terminate();
    play.world.system().terminate();
    CHECK(play.world.shut_down());
    CHECK(play.world.shut_down());
    CHECK(play.count("child post_stop 0") == 1);
    CHECK(play.world.system().ending().kind == system::Ending::Kind::asked);
  });
}

}  // namespace actord::conformance
