// SPDX-License-Identifier: Apache-2.0
//
// Watching with a custom message, and stopping with an answer: items 123, 124 and 137.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

void watch_with(SeededTest& test, Ref watcher, Ref target, int n) {
  test.perform(watcher, [=](ScriptedActor& actor, Context& ctx) {
    try {
      ctx.watch_with(target, Note{n});
    } catch (const Error& error) {
      actor.record(error.what());
    }
  });
}

/// Has no handler for a Note.
class Deaf : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  using Receive = Handlers<&ScriptedActor::act>;
  using States = actord::States<>;
};

class Stopper : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void on_stopped(const Reply<Terminated>& reply) {
    if (reply) record("stopped " + reply->reason + (reply->existence_confirmed ? "" : " before"));
    else record(std::string{reply.failure().type()} + ": " + std::string{reply.failure().what()});
  }
};

}  // namespace

TEST_CASE("123 watched with a message, that message comes instead of Terminated") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    test.stop(target);
    CHECK(test.count("watcher got 7") == 1);
    CHECK(test.count(ended("watcher", "target", "stopped")) == 0);
    watch_with(test, watcher, target, 8);  // already dead
    CHECK(test.count("watcher got 8") == 1);
  });
}

TEST_CASE("123 such a message can be stashed as itself") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    test.perform(watcher, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    test.stop(target);
    CHECK(test.count("watcher got 7") == 0);
    test.perform(watcher, [](ScriptedActor&, Context& ctx) {
      ctx.unbecome();
      ctx.unstash_all();
    });
    CHECK(test.count("watcher got 7") == 1);
  });
}

TEST_CASE("123 left unhandled, such a message is no death pact") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn<Deaf>("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    test.stop(target);
    CHECK(test.is_alive(watcher));
    CHECK(test.world.events("message.unhandled").size() == 1);
  });
}

TEST_CASE("123 unwatched between notice and handling such a message is discarded") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    test.perform(watcher, [&](ScriptedActor&, Context& ctx) { ctx.unwatch(target); });
    test.stop(target);
    CHECK(test.count("watcher got 7") == 0);
  });
}

TEST_CASE("124 watching otherwise without an unwatch is an error, and the old watch stays") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    watch_with(test, watcher, target, 8);
    const std::string refused =
        "/user/target is already watched with a different message: unwatch it first";
    CHECK(test.count("watcher " + refused) == 1);
    test.perform(watcher, [&](ScriptedActor& actor, Context& ctx) {
      try {
        ctx.watch(target);
      } catch (const Error& error) {
        actor.record(error.what());
      }
    });
    CHECK(test.count("watcher " + refused) == 2);
    watch_with(test, watcher, target, 7);  // the same message again
    CHECK(test.count("watcher " + refused) == 2);
    test.stop(target);
    CHECK(test.count("watcher got 7") == 1);
    CHECK(test.count("watcher got 8") == 0);
  });
}

TEST_CASE("124 after unwatch another message may be set; after a plain watch, none") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target");
    watch_with(test, watcher, target, 7);
    test.perform(watcher, [&](ScriptedActor&, Context& ctx) { ctx.unwatch(target); });
    watch_with(test, watcher, target, 8);
    const Ref other = test.spawn("other");
    test.watch(watcher, other);
    watch_with(test, watcher, other, 9);
    CHECK(
        test.count(
            "watcher /user/other is already watched with a different message: unwatch it first") ==
        1);
    test.stop(target);
    test.stop(other);
    CHECK(test.count("watcher got 8") == 1);
    CHECK(test.count("watcher got 9") == 0);
    CHECK(test.count(ended("watcher", "other", "stopped")) == 1);
  });
}

TEST_CASE("137 a graceful stop is answered after postStop, at once by the dead") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    const Ref target = test.spawn("target");
    const auto stop = [&](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s);
    };
    test.perform(stopper, stop);
    CHECK(test.came_in_order({"target post_stop 0", "stopper stopped stopped"}));
    test.perform(stopper, stop);
    CHECK(test.count("stopper stopped no-such-actor before") == 1);
  });
}

TEST_CASE("137 a graceful stop of a null reference is answered at once, too") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    test.perform(stopper, [](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(Ref{}, 5s);
    });
    CHECK(test.count("stopper stopped no-such-actor before") == 1);
  });
}

TEST_CASE("137 a graceful stop by PoisonPill lets what waits be handled first") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    const Ref target = test.spawn("target");
    test.note(target, 1);
    test.perform(stopper, [&](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, PoisonPill{});
    });
    CHECK(test.came_in_order({"target got 1", "target post_stop 0", "stopper stopped poison"}));
  });
}

TEST_CASE("137 an actor that does not stop in time is a timeout, and the watch is gone") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    const Ref target = test.spawn("target");
    test.perform(stopper, [&](ScriptedActor&, Context& ctx) {
      // The target does not stop at a Note.
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, Note{3});
    });
    test.world.advance(5s);
    CHECK(test.count("stopper actord::AskTimeout: /user/target did not stop within 5 s") == 1);
    CHECK(test.cell(target).extras->death_watch.watches().watchers.empty());
    test.stop(target);
    CHECK(test.count("stopper stopped stopped") == 0);
  });
}

TEST_CASE("137 a restart ends the wait for a graceful stop, and its watch") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    const Ref target = test.spawn("target");
    test.perform(stopper, [&](ScriptedActor&, Context& ctx) {
      // The target does not stop at a Note.
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, Note{3});
    });
    test.fail<Restarting>(stopper);
    CHECK(test.cell(target).extras->death_watch.watches().watchers.empty());
    test.stop(target);
    CHECK(test.life_of("stopper").find("stopped") == std::string::npos);
  });
}

TEST_CASE("137 a parent that stops a child gracefully and watches it hears both") {
  under_seeds([](SeededTest& test) {
    const Ref stopper = test.spawn<Stopper>("stopper");
    const Ref child = test.spawn_under(stopper, "child");
    test.watch(stopper, child);
    test.perform(stopper, [&](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(child, 5s);
    });
    CHECK(test.count("stopper stopped parent") == 1);
    CHECK(test.count(ended("stopper", "child", "parent")) == 1);
  });
}

}  // namespace actord::conformance
