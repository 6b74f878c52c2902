// SPDX-License-Identifier: Apache-2.0
//
// What the system tells of its configured actors: who is up, who is gone and why, and how those
// that are gone come back.
#include "conformance/config/backoff_child.hpp"
#include "conformance/config/config_support.hpp"

namespace actord::conformance {

namespace {

using State = system::ConfiguredActor::State;
using system::ConfiguredActor;

ConfiguredActor told(SeededTest& test, std::string_view path) {
  const auto found = test.world.system().configured_actors().find(path);
  REQUIRE(found.has_value());
  return *found;
}

State state(SeededTest& test, std::string_view path) { return told(test, path).state; }

std::string actors(const std::string& x_rest, const std::string& beside = "") {
  return "actord.user {\n" + conformance::actor("x", x_rest) + conformance::actor("y") + beside +
         "}";
}

const std::string stop_always = "actord.actor.guardian-supervisor-strategy = stopping\n";

void stop_itself(SeededTest& test, std::string_view path) {
  test.perform(test.find(path), [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
}

void start(SeededTest& test, std::string_view path) {
  CHECK(test.world.system().start_configured(path));
  test.world.run();
}

}  // namespace

TEST_CASE("state: all configured actors are up when the boot is over, in the order of the file") {
  under_config("actord.user { a { children { b {}, c {} } }, d {} }", [](SeededTest& test) {
    std::string up;
    for (const ConfiguredActor& each : test.world.system().configured_actors().list()) {
      CHECK(each.state == State::up);
      CHECK(each.is_below_running);
      up += each.path + ' ';
    }
    CHECK(up == "/user/a /user/a/b /user/a/c /user/d ");
  });
}

TEST_CASE("state: an actor that a failure stops is lost, with the failure and its supervisor") {
  under_config(stop_always + actors(""), [](SeededTest& test) {
    test.fail<Restarting>(test.find("/user/x"));
    const ConfiguredActor x = told(test, "/user/x");
    CHECK(x.state == State::stopped);
    CHECK(x.is_lost());
    CHECK(x.reason == actor::StopReason::failed);
    CHECK(x.failure_type == "actord::conformance::Restarting");
    CHECK(x.failure_id == test.world.events("actor.failed").back().field("failure.id"));
    CHECK(x.stopped_by == "/user");
    CHECK(state(test, "/user/y") == State::up);
    CHECK(test.world.events("actor.stopped").back().field("stopped_by") == "/user");
  });
}

TEST_CASE("state: a normal end is no loss, unless the lifetime is permanent") {
  under_config(actors("", conformance::actor("z", "lifetime = permanent")), [](SeededTest& test) {
    stop_itself(test, "/user/x");
    stop_itself(test, "/user/z");
    CHECK(state(test, "/user/x") == State::stopped);
    CHECK(told(test, "/user/x").stopped_by == "/user/x");
    CHECK_FALSE(told(test, "/user/x").is_lost());
    CHECK(told(test, "/user/z").is_lost());
  });
}

TEST_CASE(
    "state: the path of the actor that stops another one is told, also if it sends a PoisonPill") {
  under_config(actors(""), [](SeededTest& test) {
    test.perform(test.find("/user/y"),
                 [](ScriptedActor&, Context& ctx) { ctx.tell(ctx.find("/user/x"), PoisonPill{}); });
    CHECK(told(test, "/user/x").reason == actor::StopReason::poison);
    CHECK(told(test, "/user/x").stopped_by == "/user/y");
    start(test, "/user/x");
    test.perform(test.find("/user/y"),
                 [](ScriptedActor&, Context& ctx) { ctx.stop(ctx.find("/user/x")); });
    CHECK(told(test, "/user/x").reason == actor::StopReason::stopped);
    CHECK(told(test, "/user/x").stopped_by == "/user/y");
  });
}

TEST_CASE("state: under all-for-one the others are lost for the failure of one") {
  const std::string all = "supervisor-strategy { type = all-for-one, decider.default = stop }";
  under_config("actord.user { top { " + all + ", children {" + actor("a") + actor("b") + "} } }",
               [](SeededTest& test) {
                 test.fail<Restarting>(test.find("/user/top/a"));
                 CHECK(told(test, "/user/top/a").reason == actor::StopReason::failed);
                 const ConfiguredActor b = told(test, "/user/top/b");
                 CHECK(b.reason == actor::StopReason::parent);
                 CHECK(b.is_lost());
                 CHECK(b.failure_id == told(test, "/user/top/a").failure_id);
               });
}

TEST_CASE("state: an actor waits during its back-off, and is up after it") {
  const std::string slow =
      "supervisor-strategy { backoff { min = 10 s, max = 10 s, random-factor = 0 } }";
  under_config("actord.user { top { " + slow + ", children {" + actor("a") + "} } }",
               [](SeededTest& test) {
                 test.fail<Restarting>(test.find("/user/top/a"));
                 const ConfiguredActor a = told(test, "/user/top/a");
                 CHECK(a.state == State::waiting);
                 CHECK(a.delay_ns == 10'000 * ms);
                 CHECK(a.until_ns == test.world.now_ns() + 10'000 * ms);
                 CHECK(a.failure_type == "actord::conformance::Restarting");
                 test.world.advance(10s);
                 CHECK(state(test, "/user/top/a") == State::up);
               });
}

TEST_CASE("state: a restart of the parent starts the children again, also those that had ended") {
  under_config("actord.user { " + actor("top", "children {" + actor("a") + actor("b") + "}") + "}",
               [](SeededTest& test) {
                 stop_itself(test, "/user/top/a");
                 CHECK(state(test, "/user/top/a") == State::stopped);
                 test.fail<Restarting>(test.find("/user/top"));
                 for (const char* const path : {"/user/top", "/user/top/a", "/user/top/b"})
                   CHECK(state(test, path) == State::up);
               });
}

TEST_CASE("state: below an actor that has stopped, nothing is judged by itself") {
  under_config(stop_always + "actord.user { " + actor("top", "children {" + actor("a") + "}") + "}",
               [](SeededTest& test) {
                 test.fail<Restarting>(test.find("/user/top"));
                 CHECK(told(test, "/user/top").is_lost());
                 CHECK_FALSE(told(test, "/user/top/a").is_below_running);
               });
}

TEST_CASE("state: a back-off supervisor and its actor are one, which is up while the actor is") {
  const std::string backoff =
      "backoff-supervisor { mode = on-stop, min = 10 s, max = 10 s, random-factor = 0, "
      "max-restarts = 1 }";
  under_config(actors("supervisor-strategy = stopping\n" + backoff), [](SeededTest& test) {
    CHECK(test.world.system().configured_actors().list().size() == 2);
    CHECK_FALSE(test.world.system().configured_actors().find("/user/x/x").has_value());
    CHECK(state(test, "/user/x") == State::up);
    test.fail<Restarting>(child(test));
    CHECK(state(test, "/user/x") == State::waiting);
    CHECK(told(test, "/user/x").delay_ns == 10'000 * ms);
    CHECK(told(test, "/user/x").failure_type == "actord::conformance::Restarting");
    test.world.advance(10s);
    CHECK(state(test, "/user/x") == State::up);
    test.fail<Restarting>(child(test));
    CHECK(told(test, "/user/x").is_lost());
    CHECK(told(test, "/user/x").reason == actor::StopReason::limit);
    CHECK(told(test, "/user/x").failure_type == "actord::conformance::Restarting");
  });
}

TEST_CASE("state: an actor that cannot be created is lost, and the owner is told of each change") {
  const auto is_broken = std::make_shared<bool>(true);
  under_config(
      actors(""),
      [is_broken](SeededTest& test) {
        const ConfiguredActor x = told(test, "/user/x");
        CHECK(x.is_lost());
        CHECK(x.reason == actor::StopReason::init_failed);
        CHECK(x.failure_message == "no such port");
        start(test, "/user/x");
        CHECK(told(test, "/user/x").is_lost());
        CHECK(told(test, "/user/x").steps > x.steps);
        *is_broken = false;
        start(test, "/user/x");
        CHECK(state(test, "/user/x") == State::up);
        CHECK(told(test, "/user/x").failure_type == x.failure_type);
      },
      [is_broken] {
        *is_broken = true;
        return Scripts{{"x", {.pre_start = [is_broken](ScriptedActor&, Context&) {
                          if (*is_broken) throw Restarting("no such port");
                        }}}};
      });
}

TEST_CASE("start: an actor that has ended comes back as another one, and runs once") {
  under_config(actors(""), [](SeededTest& test) {
    const Ref before = test.find("/user/x");
    start(test, "/user/x");  // it runs: nothing happens
    CHECK(test.find("/user/x") == before);
    stop_itself(test, "/user/x");
    CHECK(test.world.system().start_configured("/user/x"));
    start(test, "/user/x");
    CHECK(test.find("/user/x"));
    CHECK(test.find("/user/x") != before);
    CHECK(state(test, "/user/x") == State::up);
  });
}

TEST_CASE("start: asked while the actor still ends, it starts when its name is free") {
  under_config(actors(""), [](SeededTest& test) {
    test.world.stop(test.find("/user/x").value);
    CHECK(test.world.system().start_configured("/user/x"));
    test.world.run();
    // Either the request came while the actor ran, or it came after its end.
    if (state(test, "/user/x") == State::stopped) start(test, "/user/x");
    CHECK(test.answers(test.find("/user/x")));
  });
}

TEST_CASE("start: a back-off is over at once") {
  const std::string slow =
      "supervisor-strategy { backoff { min = 1 h, max = 1 h, random-factor = 0 } }";
  under_config("actord.user { top { " + slow + ", children {" + actor("a") + "} } }",
               [](SeededTest& test) {
                 const Ref a = test.find("/user/top/a");
                 test.fail<Restarting>(a);
                 CHECK(state(test, "/user/top/a") == State::waiting);
                 start(test, "/user/top/a");
                 CHECK(state(test, "/user/top/a") == State::up);
                 CHECK(test.find("/user/top/a") == a);
                 CHECK(test.world.incarnation(a.value) == 1);
                 test.world.advance(1h);  // the timer of the back-off is gone
                 CHECK(test.world.incarnation(a.value) == 1);
               });
}

TEST_CASE("start: without its parent no actor can be started") {
  under_config(stop_always + "actord.user { " + actor("top", "children {" + actor("a") + "}") + "}",
               [](SeededTest& test) {
                 test.fail<Restarting>(test.find("/user/top"));
                 CHECK_FALSE(test.world.system().start_configured("/user/top/a"));
                 start(test, "/user/top");
                 CHECK(state(test, "/user/top/a") == State::up);
               });
}

TEST_CASE("reload: what is lost is tried again, and what has ended only if that is forced") {
  const std::string text = stop_always + actors("", conformance::actor("z"));
  under_config(text, [&](SeededTest& test) {
    test.fail<Restarting>(test.find("/user/x"));
    stop_itself(test, "/user/z");
    CHECK(reload(test, text));
    CHECK(state(test, "/user/x") == State::up);
    CHECK(test.answers(test.find("/user/x")));
    CHECK(state(test, "/user/z") == State::stopped);
    CHECK_FALSE(test.find("/user/z"));
    CHECK(reload(test, text, Force::yes));
    CHECK(state(test, "/user/z") == State::up);
    CHECK(test.answers(test.find("/user/z")));
  });
}

TEST_CASE("reload: actors that are removed are forgotten, and new ones are known") {
  under_config(actors(""), [](SeededTest& test) {
    stop_itself(test, "/user/x");
    CHECK(reload(test, "actord.user {" + conformance::actor("x", "lifetime = permanent") +
                           conformance::actor("new") + "}"));
    CHECK(state(test, "/user/new") == State::up);
    CHECK(state(test, "/user/x") == State::up);  // lost by its new lifetime, so it is tried again
    CHECK_FALSE(test.world.system().configured_actors().find("/user/y").has_value());
  });
}

}  // namespace actord::conformance
