// SPDX-License-Identifier: Apache-2.0
//
// Stash: items 154 to 157.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// Sets these notes aside.
Ref busy_with(Play& play, std::initializer_list<int> notes, Part part = {}) {
  const Ref child = play.spawn("child", std::move(part));
  play.perform(child, [](Puppet&, Context& ctx) { ctx.become<Puppet::Busy>(); });
  for (const int n : notes) play.note(child, n);
  play.world.run();
  CHECK(play.life_of("child") == "new 0, pre_start 0");
  return child;
}

}  // namespace

TEST_CASE("154 what was stashed reaches the next incarnation first, in its order") {
  for (const bool calls_default : {true, false}) {
    under_seeds([calls_default](Play& play) {
      Part part;
      if (!calls_default) part.pre_restart = [](Puppet&, Context&, const Failure&) {};
      const Ref child = busy_with(play, {1, 2}, part);
      play.queue_failure<Restarting>(child);
      play.note(child, 3);
      play.world.run();
      CHECK(play.came_in_order({"child new 1", "child got 1", "child got 2", "child got 3"}));
      for (const char* entry : {"child got 1", "child got 2", "child got 3"})
        CHECK(play.count(entry) == 1);
    });
  }
}

TEST_CASE("154 unstashed in the ordinary way what was set aside comes before what waits") {
  under_seeds([](Play& play) {
    const Ref child = busy_with(play, {1, 2});
    play.queue(child, [](Puppet&, Context& ctx) {
      ctx.become<Puppet::Receive>();
      ctx.unstash_all();
    });
    play.note(child, 3);
    play.world.run();
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 1, got 2, got 3");
  });
}

TEST_CASE("155 what is still stashed at the stop becomes dead letters, in order") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref one = play.spawn("one");
    const Ref two = play.spawn("two");
    const Ref child = busy_with(play, {});
    play.world.tell(child.value, Note{1}, one.value);
    play.world.send(child.value, Note{2}, two.value);
    play.queue(child, [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.world.tell(child.value, Note{3});
    play.world.run();
    REQUIRE(letters.size() == 3);
    CHECK(letters[0].sender == one);
    CHECK(letters[1].sender == two);
    CHECK(letters[2].sender == Ref{});
    CHECK(letters[0].type == "play.Note/1");
  });
}

TEST_CASE("156 stashing a message twice is an error, and the message stays stashed once") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    int handled = 0;
    play.perform(child, [&](Puppet& puppet, Context& ctx) {
      if (++handled > 1) return;
      ctx.stash();
      CHECK_THROWS_AS(ctx.stash(), const Error&);
      puppet.value = 42;
    });
    CHECK(handled == 1);
    play.perform(child, [](Puppet&, Context& ctx) { ctx.unstash_all(); });
    CHECK(handled == 2);
    CHECK(play.value(child) == 42);
  });
}

TEST_CASE("157 a stashed Terminated is delivered again after unstash") {
  under_seeds([](Play& play) {
    int seen = 0;
    const Ref watcher =
        play.spawn("watcher", {.terminated = [&](Puppet&, Context& ctx, const Terminated& notice) {
                     CHECK(notice.existence_confirmed);
                     if (++seen == 1) ctx.stash();
                   }});
    const Ref target = play.spawn("target");
    play.watch(watcher, target);
    play.stop(target);
    CHECK(seen == 1);
    play.perform(watcher, [](Puppet&, Context& ctx) { ctx.unstash_all(); });
    CHECK(seen == 2);
    CHECK(play.answers(watcher));
  });
}

TEST_CASE("157 a stashed Terminated is void once its actor is unwatched") {
  under_seeds([](Play& play) {
    int seen = 0;
    const Ref watcher =
        play.spawn("watcher", {.terminated = [&](Puppet&, Context& ctx, const Terminated&) {
                     ++seen;
                     ctx.stash();
                   }});
    const Ref target = play.spawn("target");
    play.watch(watcher, target);
    play.stop(target);
    play.perform(watcher, [target](Puppet&, Context& ctx) {
      ctx.unwatch(target);
      ctx.unstash_all();
    });
    CHECK(seen == 1);
  });
}

}  // namespace actord::conformance
