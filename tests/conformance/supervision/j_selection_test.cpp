// SPDX-License-Identifier: Apache-2.0
//
// Selections, which identify the actor at a path: item 145.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

class Seeker : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void identified(Context& ctx, const ActorIdentity& answer) {
    record("id " + std::to_string(answer.id) + ' ' + (answer.who ? ctx.path(answer.who) : "none"));
  }
  void asked_identity(Context& ctx, const Reply<ActorIdentity>& reply) {
    record(reply && reply->who ? "asked " + ctx.path(reply->who) : "asked none");
  }
  using Receive = Handlers<&ScriptedActor::act, &Seeker::identified>;
  using States = actord::States<>;
};

}  // namespace

TEST_CASE("145 a selection of one path identifies the actor there, or none") {
  under_seeds([](SeededTest& test) {
    const Ref seeker = test.spawn<Seeker>("seeker");
    const Ref target = test.spawn("target");
    test.spawn_under(target, "child");
    test.perform(seeker, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("/user/target").identify(1) == 1);
      CHECK(ctx.select("../target/child").identify(2) == 1);
      CHECK(ctx.select("/user/nobody").identify(3) == 0);
    });
    CHECK(test.count("seeker id 1 /user/target") == 1);
    CHECK(test.count("seeker id 2 /user/target/child") == 1);
    CHECK(test.count("seeker id 3 none") == 1);
    test.stop(target);
    test.perform(seeker, [&](ScriptedActor&, Context& ctx) {
      ctx.select("/user/target").identify(4);
      ctx.tell(target, Identify{5});
      ctx.ask<&Seeker::asked_identity>(target, Identify{6}, 1s);
    });
    CHECK(test.count("seeker id 4 none") == 1);
    CHECK(test.count("seeker id 5 none") == 1);
    CHECK(test.count("seeker asked none") == 1);
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("145 a message to a path without an actor is a dead letter naming that path") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref seeker = test.spawn("seeker");
    test.perform(seeker, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("/user/nobody/there").tell(Note{1}) == 0);
    });
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].path == "/user/nobody/there");
    CHECK(letters[0].sender == seeker);
    const auto lines = test.world.events("deadletter");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].field("message.recipient") == "/user/nobody/there");
  });
}

TEST_CASE("145 a pattern reaches all that match, and its misses are silent") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    for (const char* name : {"a", "b", "c"}) test.spawn_under(boss, name);
    test.perform(boss, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("*").tell(Note{1}) == 3);
      CHECK(ctx.select("/user/*/b").tell(Note{2}) == 1);
      CHECK(ctx.select("/user/boss/x*").tell(Note{3}) == 0);
      CHECK(ctx.select("/user/b*/?").tell(Note{5}) == 3);
      CHECK(ctx.select("/user/boss/?").tell(Note{6}) == 3);
      CHECK(ctx.select("/user/boss/??").tell(Note{7}) == 0);
      CHECK(ctx.select("/nothing/*").tell(Note{4}) == 0);
    });
    for (const char* name : {"a", "b", "c"}) CHECK(test.count(std::string{name} + " got 1") == 1);
    CHECK(test.count("b got 2") == 1);
    CHECK(test.world.events("deadletter").empty());
  });
}

}  // namespace actord::conformance
