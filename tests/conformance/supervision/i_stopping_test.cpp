// SPDX-License-Identifier: Apache-2.0
//
// Stop, PoisonPill, Kill, and what is left of the dead: items 132 to 136 and 139.
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("132 who stops itself completes the message and handles no other") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.queue(child, [](Puppet& puppet, Context& ctx) {
      ctx.stop_self();
      puppet.record("still here");
    });
    play.note(child, 1);
    play.world.run();
    CHECK(play.life_of("child") == "new 0, pre_start 0, still here, post_stop 0");
  });
}

TEST_CASE("132 who stops itself in a hook of its restart handles nothing after it") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn(
        "child", {.post_restart = [](Puppet&, Context& ctx, const Failure&) { ctx.stop_self(); }});
    play.queue_failure<Restarting>(child);
    for (int n = 1; n <= 3; ++n) play.note(child, n);
    play.world.run();
    CHECK(play.count("child post_restart 1") == 1);
    CHECK(play.count("child post_stop 1") == 1);
    for (int n = 1; n <= 3; ++n) CHECK(play.count("child got " + std::to_string(n)) == 0);
  });
}

TEST_CASE("133 children stop first, and the parent's postStop runs after all of theirs") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    const Ref one = play.spawn_under(boss, "one");
    play.spawn_under(one, "leaf");
    play.spawn_under(boss, "two");
    play.queue(boss, [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.note(boss, 1);
    play.world.run();
    CHECK(play.came_in_order({"leaf post_stop 0", "one post_stop 0", "boss post_stop 0"}));
    CHECK(play.came_in_order({"two post_stop 0", "boss post_stop 0"}));
    CHECK(play.count("boss got 1") == 0);
  });
}

TEST_CASE("134 what waits at the stop becomes dead letters with sender and recipient") {
  under_seeds([](Play& play) {
    const std::vector<DeadLetter>& letters = play.read_dead_letters();
    const Ref sender = play.spawn("sender");
    const Ref child = play.spawn("child");
    play.queue(child, [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.world.tell(child.value, Note{1}, sender.value);
    play.world.tell(child.value, Question{2});
    play.world.run();
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
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    const Ref child = play.spawn("child");
    play.note(child, 1);
    play.world.tell(child.value, Question{2}, asker.value);
    play.world.tell(child.value, PoisonPill{});
    play.note(child, 3);
    play.world.run();
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 1, post_stop 0");
    CHECK(play.count("asker answer 2") == 1);
  });
}

TEST_CASE("136 a Kill is a failure: stopped by default, restarted if the decider says so") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.world.send(child.value, Kill{});
    CHECK_FALSE(play.is_alive(child));
    const Ref boss =
        play.spawn<Boss<[] { return one_for_one().on<Killed>(Directive::restart); }>>("boss");
    const Ref tough = play.spawn_under(boss, "tough");
    play.world.send(tough.value, Kill{});
    CHECK(play.world.incarnation(tough.value) == 1);
    CHECK(play.answers(tough));
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 2);
    CHECK(failed[0].field("failure.type") == "actord::Killed");
  });
}

TEST_CASE("139 the reference of a dead child takes messages and never comes to life again") {
  under_seeds([](Play& play) {
    const std::vector<DeadLetter>& letters = play.read_dead_letters();
    const Ref boss = play.spawn("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.stop(child);
    const Ref namesake = play.spawn_under(boss, "child");
    for (int i = 0; i < 3; ++i) play.note(child, i);
    play.world.send(child.value, PoisonPill{});
    play.perform(boss, [child](Puppet&, Context& ctx) { ctx.stop(child); });
    CHECK(letters.size() == 3);
    CHECK_FALSE(play.is_alive(child));
    CHECK(play.count("child new 1") == 1);
    CHECK(play.answers(namesake));
    play.stop(boss);  // and whoever was asked to stop a dead child is not left waiting for it
    CHECK_FALSE(play.is_alive(boss));
  });
}

}  // namespace actord::conformance
