// SPDX-License-Identifier: Apache-2.0
//
// The bubble-walker, hooks and callbacks of shutdown, stopping from outside: items 98, 101, 107,
// 110, 112 and 113.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// Registers a termination hook. It answers a call of the hook only if "party finishes" has been
/// recorded before.
class Party : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void pre_start(Context& ctx) override {
    ctx.tell(ctx.find("/system"), RegisterTerminationHook{});
  }
  void hook(Context& ctx, const TerminationHook& /*hook*/) {
    record("hook");
    if (test().count("party finishes") != 0) ctx.reply(TerminationHookDone{});
  }
  using Receive = Handlers<&ScriptedActor::act, &Party::hook>;
  using States = actord::States<>;
};

/// A Party as a child of /system, because /user's actors are gone when the hooks are called.
Ref party_in_system(SeededTest& test) {
  auto props = test.world.system().props_of(detail::props_of<Party>(&test, Script{}));
  REQUIRE(props);
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = "party";
  request->props = std::move(*props);
  test.send_system(test.find("/system"), actor::SystemMessage::spawn(request));
  test.world.run();
  return {request->ref};
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
