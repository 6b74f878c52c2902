// SPDX-License-Identifier: Apache-2.0
//
// The bubble-walker, hooks and callbacks of shutdown, stopping from outside: items 98, 101, 107,
// 110, 112 and 113.
#include "configured.hpp"

namespace actord::conformance {

namespace {

/// Registers a termination hook. It answers a call of the hook only if "party finishes" has been
/// recorded before.
class Party : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void pre_start(Context& ctx) override {
    record("pre_start");
    ctx.tell(ctx.parent(), RegisterTerminationHook{});
  }
  void hook(Context& ctx, const TerminationHook& /*hook*/) {
    record("hook");
    if (test().count("party fails") != 0) throw Error("the disk is full");
    if (test().count("party finishes") != 0) ctx.reply(TerminationHookDone{});
  }
  using Receive = Handlers<&ScriptedActor::act, &ScriptedActor::note, &Party::hook>;
  using States = actord::States<>;
};

class Idle : public Actor {
 public:
  using Receive = Handlers<>;
};

/// The handle that a plugin gets in its attach.
System handle_of(SeededTest& test) {
  return {*test.world.system().host, test.world.system().handle};
}

/// A Party as a child of /system, because /user's actors are gone when the hooks are called.
Ref party_in_system(SeededTest& test) {
  handle_of(test).spawn_system<Party>("party", &test, Script{});
  test.world.run();
  return test.find("/system/party");
}

/// The text of the Error that spawn_system() throws for this name; empty if it throws none.
std::string refusal_of(SeededTest& test, std::string_view name) {
  try {
    handle_of(test).spawn_system<Party>(name, &test, Script{});
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("98 addresses without an actor are found and printed by their names") {
  under_seeds([](SeededTest& test) {
    for (const char* path : {"/deadLetters", "/bubble-walker"}) {
      const Ref ref = test.find(path);
      REQUIRE(ref);
      CHECK(test.world.path(ref.value) == path);
    }
    CHECK_FALSE(test.find("/temp"));  // an asker is known by a token, and has no temporary actor
  });
}

TEST_CASE("101 the system waits for the actors that registered a termination hook") {
  under_seeds([](SeededTest& test) {
    const Ref party = party_in_system(test);
    REQUIRE(test.is_alive(party));
    test.world.system().terminate();
    test.world.run();
    CHECK(test.count("party hook") == 1);
    CHECK_FALSE(test.world.has_stopped());
    CHECK_FALSE(test.is_alive(test.find("/user")));
    CHECK(test.is_alive(test.find("/system")));
    test.world.send(test.find("/system").value, TerminationHookDone{}, party.value);
    CHECK(test.world.has_stopped());
  });
}

TEST_CASE("101 a party that stops instead of answering is not waited for") {
  under_seeds([](SeededTest& test) {
    const Ref party = party_in_system(test);
    test.world.system().terminate();
    test.world.run();
    CHECK_FALSE(test.world.has_stopped());
    test.stop(party);
    CHECK(test.world.has_stopped());
  });
}

TEST_CASE("101 an actor below /system takes what user actors tell it in post_stop, then its hook") {
  under_seeds([](SeededTest& test) {
    test.record("party", "finishes");
    const Ref party = party_in_system(test);
    test.spawn("user",
               {.post_stop = [&](ScriptedActor&, Context& ctx) { ctx.tell(party, Note{7}); }});
    CHECK(test.world.shut_down());
    CHECK(
        test.came_in_order({"user post_stop 0", "party got 7", "party hook", "party post_stop 0"}));
    const auto stopped = test.world.events("actor.stopped");
    REQUIRE(stopped.size() > 4);
    CHECK(stopped[stopped.size() - 4].field("actor.path") == "/system/party");
    CHECK(stopped[stopped.size() - 3].field("actor.path") == "/system/log");  // supervision.md 102
  });
}

TEST_CASE("101 an actor requested before the start is there when the first user actor is created") {
  SeededTest::Setup setup = boot({{"child"}}, [] {
    return Scripts{{"child", {.construct = [](ScriptedActor& actor, Context& ctx) {
                      actor.record("found " + ctx.path(ctx.find("/system/party")));
                    }}}};
  });
  setup.before_start = [configure_user = setup.before_start](SeededTest& test) {
    configure_user(test);
    CHECK(refusal_of(test, "party").empty());
    CHECK(refusal_of(test, "party") == "the name party is taken: /system has a child of that name");
    CHECK(refusal_of(test, "log") == "the name log is taken: /system has a child of that name");
  };
  under_seeds(
      [](SeededTest& test) {
        test.record("party", "finishes");
        test.world.run();
        CHECK(test.count("child found /system/party") == 1);
        CHECK(test.is_alive(test.find("/system/party")));
        CHECK(test.is_alive(test.find("/system/log")));
      },
      setup);
}

TEST_CASE("101 a hook that fails is not waited for") {
  under_seeds([](SeededTest& test) {
    test.record("party", "fails");
    const Ref party = party_in_system(test);
    CHECK(test.world.shut_down());
    CHECK(test.count("party hook") == 1);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("decision.directive") == "stop");
    CHECK_FALSE(test.is_alive(party));
  });
}

TEST_CASE(
    "101 an actor that is created while the shutdown begins still gets its messages and hook") {
  under_seeds([](SeededTest& test) {
    test.record("party", "finishes");
    test.spawn("user", {.post_stop = [](ScriptedActor&, Context& ctx) {
                 ctx.tell(ctx.find("/system/party"), Note{7});
               }});
    handle_of(test).spawn_system<Party>("party", &test, Script{});
    CHECK(test.step_until([&] { return bool{test.find("/system/party")}; }));
    CHECK(test.world.shut_down());
    CHECK(test.came_in_order({"party pre_start", "party got 7", "party hook"}));
  });
}

TEST_CASE("101 a system that is shutting down creates no actor below /system") {
  under_seeds([](SeededTest& test) {
    test.record("party", "finishes");
    party_in_system(test);
    std::string refusal;
    test.spawn("user", {.post_stop = [&](ScriptedActor&, Context&) {
                 refusal = refusal_of(test, "successor");
               }});
    CHECK(test.world.shut_down());
    CHECK(refusal == "the system is shutting down");
  });
}

TEST_CASE("101 a plugin that refuses to start leaves no actor below /system") {
  struct Refusing {
    static void attach(System system) {
      system.spawn_system<Idle>("exporter");
      throw Error("not yet");
    }
  };
  const actord_plugin& refusing =
      *plugin_table<Behaviours<Idle>, Messages<>, Module<Refusing>>("refusing", "1");
  under_seeds([&](SeededTest& test) {
    CHECK_FALSE(test.world.system().add_plugin(refusing));
    CHECK_FALSE(test.world.system().attach_plugin(refusing));  // as a later reload does
    test.world.run();
    CHECK_FALSE(test.find("/system/exporter"));
  });
}

TEST_CASE("101 an actor below /system runs on the dispatcher that its plugin names") {
  under_seeds([](SeededTest& test) {
    test.record("party", "finishes");
    const System system = handle_of(test);
    system.spawn_system_on<Party>("party", "blocking-io", &test, Script{});
    test.world.run();
    CHECK(test.cell(test.find("/system/party")).dispatcher.load(base::relaxed) ==
          *test.world.system().dispatcher_named("blocking-io"));
    CHECK_THROWS_AS(system.spawn_system_on<Party>("other", "nothing", &test, Script{}), Error);
  });
}

TEST_CASE("101 a name that is not valid or taken is refused, at the latest by a line of the log") {
  under_seeds([](SeededTest& test) {
    CHECK(refusal_of(test, "") == "an actor below /system needs a name");
    CHECK(refusal_of(test, "a/b").find("name") != std::string::npos);
    CHECK(refusal_of(test, "twin").empty());
    CHECK(refusal_of(test, "twin").empty());  // the first one has not been created yet
    test.world.run();
    CHECK(refusal_of(test, "twin") == "the name twin is taken: /system has a child of that name");
    const auto refused = test.world.events("actor.spawn-refused");
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].level == log::Level::error);
    CHECK(refused[0].field("actor.path") == "/system/twin");
    test.record("party", "finishes");
  });
}

TEST_CASE("101 a failure of an actor below /system is judged by the default strategy") {
  under_seeds([](SeededTest& test) {
    test.record("party", "finishes");
    const Ref party = party_in_system(test);
    test.fail<Error>(party);
    CHECK(test.world.incarnation(party.value) == 1);
    CHECK(test.is_alive(test.find("/user")));
  });
}

TEST_CASE("107 a message to the bubble-walker is an error line, and ignored") {
  under_seeds([](SeededTest& test) {
    test.world.forget_events();
    test.note(test.find("/bubble-walker"), 1);
    test.world.run();
    const auto lines = test.world.events("guardian.message-ignored");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("message.type") == "play.Note/1");
    CHECK(test.world.events("deadletter").empty());
    CHECK(test.is_alive(test.find("/user")));
  });
}

TEST_CASE("110 termination callbacks run last registered first, before the end is reported") {
  under_seeds([](SeededTest& test) {
    std::vector<int> called;
    system::ActorSystem& system = test.world.system();
    for (const int n : {1, 2, 3}) {
      CHECK(system.on_termination([&, n] {
        CHECK_FALSE(test.world.has_stopped());
        CHECK_FALSE(test.is_alive(test.find("/user")));
        called.push_back(n);
      }));
    }
    CHECK(test.world.shut_down());
    CHECK(called == std::vector{3, 2, 1});
    CHECK_FALSE(system.on_termination([] {}));
  });
}

TEST_CASE("112 a top-level actor is stopped by its guardian, and not at once") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const Ref grandchild = test.spawn_under(child, "grandchild");
    test.world.system().stop(grandchild.value);
    test.world.run();
    CHECK_FALSE(test.is_alive(grandchild));
    test.world.system().stop(child.value);
    CHECK(test.is_alive(child));
    test.world.run();
    CHECK_FALSE(test.is_alive(child));
    const auto stopped = test.world.events("actor.stopped");
    REQUIRE(stopped.size() == 2);
    CHECK(stopped[0].field("reason") == "stopped");
    CHECK(stopped[1].field("reason") == "parent");
  });
}

TEST_CASE("113 a plugin that refuses to start is an error to the caller that starts the system") {
  struct Refusing {
    static void attach(System) { throw Error("no license"); }
  };
  SeededTest test(1, {});
  const auto added = test.world.system().add_plugin(
      *plugin_table<Behaviours<>, Messages<>, Module<Refusing>>("refusing", "1"));
  REQUIRE_FALSE(added);
  CHECK(added.error().what == "plugin refusing refused to start: no license");
  test.end();
}

}  // namespace actord::conformance
