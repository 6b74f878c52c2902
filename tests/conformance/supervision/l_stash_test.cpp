// SPDX-License-Identifier: Apache-2.0
//
// Stash: items 154 to 157.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// An actor that stashes these notes.
Ref busy_with(SeededTest& test, std::initializer_list<int> notes, Script script = {}) {
  const Ref child = test.spawn("child", std::move(script));
  test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
  for (const int n : notes) test.note(child, n);
  test.world.run();
  CHECK(test.life_of("child") == "new 0, pre_start 0");
  return child;
}

}  // namespace

TEST_CASE("154 what was stashed reaches the next incarnation first, in its order") {
  for (const bool calls_default : {true, false}) {
    under_seeds([calls_default](SeededTest& test) {
      Script script;
      if (!calls_default) script.pre_restart = [](ScriptedActor&, Context&, const Failure&) {};
      const Ref child = busy_with(test, {1, 2}, script);
      test.queue_failure<Restarting>(child);
      test.note(child, 3);
      test.world.run();
      CHECK(test.came_in_order({"child new 1", "child got 1", "child got 2", "child got 3"}));
      for (const char* entry : {"child got 1", "child got 2", "child got 3"})
        CHECK(test.count(entry) == 1);
    });
  }
}

TEST_CASE("154 unstashed in the ordinary way what was set aside comes before what waits") {
  under_seeds([](SeededTest& test) {
    const Ref child = busy_with(test, {1, 2});
    test.queue(child, [](ScriptedActor&, Context& ctx) {
      ctx.become<ScriptedActor::Receive>();
      ctx.unstash_all();
    });
    test.note(child, 3);
    test.world.run();
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 1, got 2, got 3");
  });
}

TEST_CASE("155 what is still stashed at the stop becomes dead letters, in order") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref one = test.spawn("one");
    const Ref two = test.spawn("two");
    const Ref child = busy_with(test, {});
    test.world.tell(child.value, Note{1}, one.value);
    test.world.send(child.value, Note{2}, two.value);
    test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.world.tell(child.value, Note{3});
    test.world.run();
    REQUIRE(letters.size() == 3);
    CHECK(letters[0].sender == one);
    CHECK(letters[1].sender == two);
    CHECK(letters[2].sender == Ref{});
    CHECK(letters[0].type == "play.Note/1");
  });
}

TEST_CASE("156 stashing a message twice is an error, and the message stays stashed once") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    int handled = 0;
    test.perform(child, [&](ScriptedActor& actor, Context& ctx) {
      if (++handled > 1) return;
      ctx.stash();
      CHECK_THROWS_AS(ctx.stash(), const Error&);
      actor.value = 42;
    });
    CHECK(handled == 1);
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.unstash_all(); });
    CHECK(handled == 2);
    CHECK(test.value(child) == 42);
  });
}

TEST_CASE("157 a stashed Terminated is delivered again after unstash") {
  under_seeds([](SeededTest& test) {
    int seen = 0;
    const Ref watcher = test.spawn(
        "watcher", {.terminated = [&](ScriptedActor&, Context& ctx, const Terminated& notice) {
          CHECK(notice.existence_confirmed);
          if (++seen == 1) ctx.stash();
        }});
    const Ref target = test.spawn("target");
    test.watch(watcher, target);
    test.stop(target);
    CHECK(seen == 1);
    test.perform(watcher, [](ScriptedActor&, Context& ctx) { ctx.unstash_all(); });
    CHECK(seen == 2);
    CHECK(test.answers(watcher));
  });
}

TEST_CASE("157 a stashed Terminated is void once its actor is unwatched") {
  under_seeds([](SeededTest& test) {
    int seen = 0;
    const Ref watcher =
        test.spawn("watcher", {.terminated = [&](ScriptedActor&, Context& ctx, const Terminated&) {
                     ++seen;
                     ctx.stash();
                   }});
    const Ref target = test.spawn("target");
    test.watch(watcher, target);
    test.stop(target);
    test.perform(watcher, [target](ScriptedActor&, Context& ctx) {
      ctx.unwatch(target);
      ctx.unstash_all();
    });
    CHECK(seen == 1);
  });
}

}  // namespace actord::conformance
