// SPDX-License-Identifier: Apache-2.0
//
// The bubble-walker, hooks and callbacks of the way down, stopping from outside: items 98, 101,
// 107, 110, 112 and 113.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// Registers for the end of the user actors and is done when it is told to be.
class Party : public Puppet {
 public:
  using Puppet::Puppet;
  void pre_start(Context& ctx) override {
    ctx.tell(ctx.find("/system"), RegisterTerminationHook{});
  }
  void hook(Context& ctx, const TerminationHook& /*hook*/) {
    record("hook");
    if (play().count("party finishes") != 0) ctx.reply(TerminationHookDone{});
  }
  using Receive = Handlers<&Puppet::act, &Party::hook>;
  using States = actord::States<>;
};

/// A party that /system supervises, as /user's actors are gone when the hooks are called.
Ref party_in_system(Play& play) {
  auto props = play.world.system().props_of(detail::props_of<Party>(&play, Part{}));
  REQUIRE(props);
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = "party";
  request->props = std::move(*props);
  actor::SystemBody body;
  body.request = base::IntrusivePtr<actor::SpawnRequest>(request).release();
  play.order(play.find("/system"), actor::Order::spawn, body);
  play.world.run();
  return {request->ref};
}

}  // namespace

TEST_CASE("98 addresses that are nobody's are found and printed by their names") {
  under_seeds([](Play& play) {
    for (const char* path : {"/deadLetters", "/bubble-walker"}) {
      const Ref ref = play.find(path);
      REQUIRE(ref);
      CHECK(play.world.path(ref.value) == path);
    }
    CHECK_FALSE(play.find("/temp"));  // who asks is known by a token, not by an actor of its own
  });
}

TEST_CASE("101 the system waits for those who registered a termination hook") {
  under_seeds([](Play& play) {
    const Ref party = party_in_system(play);
    REQUIRE(play.is_alive(party));
    play.world.system().terminate();
    play.world.run();
    CHECK(play.count("party hook") == 1);
    CHECK_FALSE(play.world.has_stopped());
    CHECK_FALSE(play.is_alive(play.find("/user")));
    CHECK(play.is_alive(play.find("/system")));
    play.world.send(play.find("/system").value, TerminationHookDone{}, party.value);
    CHECK(play.world.has_stopped());
  });
}

TEST_CASE("101 a party that stops instead of answering is not waited for") {
  under_seeds([](Play& play) {
    const Ref party = party_in_system(play);
    play.world.system().terminate();
    play.world.run();
    CHECK_FALSE(play.world.has_stopped());
    play.stop(party);
    CHECK(play.world.has_stopped());
  });
}

TEST_CASE("107 a message to the bubble-walker is an error line, and ignored") {
  under_seeds([](Play& play) {
    play.world.forget_events();
    play.note(play.find("/bubble-walker"), 1);
    play.world.run();
    const auto lines = play.world.events("guardian.message-ignored");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("message.type") == "play.Note/1");
    CHECK(play.world.events("deadletter").empty());
    CHECK(play.is_alive(play.find("/user")));
  });
}

TEST_CASE("110 termination callbacks run last registered first, before the end is told") {
  under_seeds([](Play& play) {
    std::vector<int> called;
    system::ActorSystem& system = play.world.system();
    for (const int n : {1, 2, 3}) {
      CHECK(system.on_termination([&, n] {
        CHECK_FALSE(play.world.has_stopped());
        CHECK_FALSE(play.is_alive(play.find("/user")));
        called.push_back(n);
      }));
    }
    CHECK(play.world.shut_down());
    CHECK(called == std::vector{3, 2, 1});
    CHECK_FALSE(system.on_termination([] {}));
  });
}

TEST_CASE("112 a top-level actor is stopped by its guardian, and not at once") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const Ref grandchild = play.spawn_under(child, "grandchild");
    play.world.system().stop(grandchild.value);
    play.world.run();
    CHECK_FALSE(play.is_alive(grandchild));
    play.world.system().stop(child.value);
    CHECK(play.is_alive(child));
    play.world.run();
    CHECK_FALSE(play.is_alive(child));
    const auto stopped = play.world.events("actor.stopped");
    REQUIRE(stopped.size() == 2);
    CHECK(stopped[0].field("reason") == "stopped");
    CHECK(stopped[1].field("reason") == "parent");
  });
}

TEST_CASE("113 a plugin that refuses to start is an error to whoever starts the system") {
  struct Refusing {
    static void attach(System) { throw Error("no license"); }
  };
  Play play(1, {});
  const auto added = play.world.system().add_plugin(
      *plugin_table<Behaviours<>, Messages<>, Module<Refusing>>("refusing", "1"));
  REQUIRE_FALSE(added);
  CHECK(added.error().what == "plugin refusing refused to start: no license");
  play.end();
}

}  // namespace actord::conformance
