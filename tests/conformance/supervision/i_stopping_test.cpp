// SPDX-License-Identifier: Apache-2.0
//
// Stop, PoisonPill, Kill, and what remains of dead actors: items 132 to 136 and 139.
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("132 an actor that stops itself completes the message and handles no other") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.queue(child, [](ScriptedActor& actor, Context& ctx) {
      ctx.stop_self();
      actor.record("still here");
    });
    test.note(child, 1);
    test.world.run();
    CHECK(test.life_of("child") == "new 0, pre_start 0, still here, post_stop 0");
  });
}

TEST_CASE("132 an actor that stops itself in a restart hook handles nothing after it") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn(
        "child",
        {.post_restart = [](ScriptedActor&, Context& ctx, const Failure&) { ctx.stop_self(); }});
    test.queue_failure<Restarting>(child);
    for (int n = 1; n <= 3; ++n) test.note(child, n);
    test.world.run();
    CHECK(test.count("child post_restart 1") == 1);
    CHECK(test.count("child post_stop 1") == 1);
    for (int n = 1; n <= 3; ++n) CHECK(test.count("child got " + std::to_string(n)) == 0);
  });
}

TEST_CASE("133 children stop first, and the parent's postStop runs after all of theirs") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref one = test.spawn_under(boss, "one");
    test.spawn_under(one, "leaf");
    test.spawn_under(boss, "two");
    test.queue(boss, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.note(boss, 1);
    test.world.run();
    CHECK(test.came_in_order({"leaf post_stop 0", "one post_stop 0", "boss post_stop 0"}));
    CHECK(test.came_in_order({"two post_stop 0", "boss post_stop 0"}));
    CHECK(test.count("boss got 1") == 0);
  });
}

TEST_CASE("134 what waits at the stop becomes dead letters with sender and recipient") {
  under_seeds([](SeededTest& test) {
    const std::vector<DeadLetter>& letters = test.read_dead_letters();
    const Ref sender = test.spawn("sender");
    const Ref child = test.spawn("child");
    test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.world.tell(child.value, Note{1}, sender.value);
    test.world.tell(child.value, Question{2});
    test.world.run();
    REQUIRE(letters.size() == 2);
    CHECK(letters[0].recipient == child);
    CHECK(letters[0].sender == sender);
    CHECK(letters[0].type == "play.Note/1");
    CHECK(letters[0].reason == "stopped");
    CHECK(letters[1].recipient == child);
    CHECK(letters[1].sender == Ref{});
    CHECK(letters[1].type == "play.Question/1");
  });
}

TEST_CASE("135 a PoisonPill stops when its turn comes, and what came before is handled") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref child = test.spawn("child");
    test.note(child, 1);
    test.world.tell(child.value, Question{2}, asker.value);
    test.world.tell(child.value, PoisonPill{});
    test.note(child, 3);
    test.world.run();
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 1, post_stop 0");
    CHECK(test.count("asker answer 2") == 1);
  });
}

TEST_CASE("136 a Kill is a failure: stopped by default, restarted if the decider says so") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.world.send(child.value, Kill{});
    CHECK_FALSE(test.is_alive(child));
    const Ref boss =
        test.spawn<Boss<[] { return one_for_one().on<Killed>(Directive::restart); }>>("boss");
    const Ref tough = test.spawn_under(boss, "tough");
    test.world.send(tough.value, Kill{});
    CHECK(test.world.incarnation(tough.value) == 1);
    CHECK(test.answers(tough));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].field("failure.type") == "actord::Killed");
  });
}

TEST_CASE("139 the reference of a dead child takes messages and never comes to life again") {
  under_seeds([](SeededTest& test) {
    const std::vector<DeadLetter>& letters = test.read_dead_letters();
    const Ref boss = test.spawn("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.stop(child);
    const Ref namesake = test.spawn_under(boss, "child");
    for (int i = 0; i < 3; ++i) test.note(child, i);
    test.world.send(child.value, PoisonPill{});
    test.perform(boss, [child](ScriptedActor&, Context& ctx) { ctx.stop(child); });
    CHECK(letters.size() == 3);
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.count("child new 1") == 1);
    CHECK(test.answers(namesake));
    test.stop(boss);  // the stop of a dead child leaves no parent waiting for it
    CHECK_FALSE(test.is_alive(boss));
  });
}

}  // namespace actord::conformance
