// SPDX-License-Identifier: Apache-2.0
//
// Watching with a message of one's own, and stopping with an answer: items 123, 124 and 137.
#include "play.hpp"

namespace actord::conformance {

namespace {

void watch_with(Play& play, Ref watcher, Ref target, int n) {
  play.perform(watcher, [=](Puppet& puppet, Context& ctx) {
    try {
      ctx.watch_with(target, Note{n});
    } catch (const Error& error) {
      puppet.record(error.what());
    }
  });
}

/// Has no handler for a Note.
class Deaf : public Puppet {
 public:
  using Puppet::Puppet;
  using Receive = Handlers<&Puppet::act>;
  using States = actord::States<>;
};

class Stopper : public Puppet {
 public:
  using Puppet::Puppet;
  void on_stopped(const Reply<Terminated>& reply) {
    if (reply) record("stopped " + reply->reason + (reply->existence_confirmed ? "" : " before"));
    else record(std::string{reply.failure().type()} + ": " + std::string{reply.failure().what()});
  }
};

}  // namespace

TEST_CASE("123 watched with a message, that message comes instead of Terminated") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    play.stop(target);
    CHECK(play.count("watcher got 7") == 1);
    CHECK(play.count(ended("watcher", "target", "stopped")) == 0);
    watch_with(play, watcher, target, 8);  // dead already
    CHECK(play.count("watcher got 8") == 1);
  });
}

TEST_CASE("123 such a message can be stashed as itself") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    play.perform(watcher, [](Puppet&, Context& ctx) { ctx.become<Puppet::Busy>(); });
    play.stop(target);
    CHECK(play.count("watcher got 7") == 0);
    play.perform(watcher, [](Puppet&, Context& ctx) {
      ctx.unbecome();
      ctx.unstash_all();
    });
    CHECK(play.count("watcher got 7") == 1);
  });
}

TEST_CASE("123 left unhandled, such a message is no death pact") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn<Deaf>("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    play.stop(target);
    CHECK(play.is_alive(watcher));
    CHECK(play.world.events("message.unhandled").size() == 1);
  });
}

TEST_CASE("123 unwatched between notice and handling such a message is discarded") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    play.perform(watcher, [&](Puppet&, Context& ctx) { ctx.unwatch(target); });
    play.stop(target);
    CHECK(play.count("watcher got 7") == 0);
  });
}

TEST_CASE("124 watching otherwise without an unwatch is an error, and the old watch stays") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    watch_with(play, watcher, target, 8);
    const std::string refused =
        "/user/target is watched already, and its end is to be told otherwise: unwatch it first";
    CHECK(play.count("watcher " + refused) == 1);
    play.perform(watcher, [&](Puppet& puppet, Context& ctx) {
      try {
        ctx.watch(target);
      } catch (const Error& error) {
        puppet.record(error.what());
      }
    });
    CHECK(play.count("watcher " + refused) == 2);
    watch_with(play, watcher, target, 7);  // the same again
    CHECK(play.count("watcher " + refused) == 2);
    play.stop(target);
    CHECK(play.count("watcher got 7") == 1);
    CHECK(play.count("watcher got 8") == 0);
  });
}

TEST_CASE("124 after an unwatch another message may be told, and after a plain watch none") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn("target");
    watch_with(play, watcher, target, 7);
    play.perform(watcher, [&](Puppet&, Context& ctx) { ctx.unwatch(target); });
    watch_with(play, watcher, target, 8);
    const Ref other = play.spawn("other");
    play.watch(watcher, other);
    watch_with(play, watcher, other, 9);
    CHECK(play.count("watcher /user/other is watched already, and its end is to be told "
                     "otherwise: unwatch it first") == 1);
    play.stop(target);
    play.stop(other);
    CHECK(play.count("watcher got 8") == 1);
    CHECK(play.count("watcher got 9") == 0);
    CHECK(play.count(ended("watcher", "other", "stopped")) == 1);
  });
}

TEST_CASE("137 a graceful stop is answered after postStop, at once by the dead") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    const Ref target = play.spawn("target");
    const auto stop = [&](Puppet&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s);
    };
    play.perform(stopper, stop);
    CHECK(play.came_in_order({"target post_stop 0", "stopper stopped stopped"}));
    play.perform(stopper, stop);
    CHECK(play.count("stopper stopped no-such-actor before") == 1);
  });
}

TEST_CASE("137 a graceful stop of nobody is answered at once, too") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    play.perform(stopper,
                 [](Puppet&, Context& ctx) { ctx.graceful_stop<&Stopper::on_stopped>(Ref{}, 5s); });
    CHECK(play.count("stopper stopped no-such-actor before") == 1);
  });
}

TEST_CASE("137 a graceful stop by PoisonPill lets what waits be handled first") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    const Ref target = play.spawn("target");
    play.note(target, 1);
    play.perform(stopper, [&](Puppet&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, PoisonPill{});
    });
    CHECK(play.came_in_order({"target got 1", "target post_stop 0", "stopper stopped poison"}));
  });
}

TEST_CASE("137 one who does not stop in time is a timeout, and the watch is gone") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    const Ref target = play.spawn("target");
    play.perform(stopper, [&](Puppet&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, Note{3});  // which stops nobody
    });
    play.world.advance(5s);
    CHECK(play.count("stopper actord::AskTimeout: the end of /user/target did not come in time") ==
          1);
    CHECK(play.cell(target).extras->death_watch.books().watchers.empty());
    play.stop(target);
    CHECK(play.count("stopper stopped stopped") == 0);
  });
}

TEST_CASE("137 a restart ends the wait for a graceful stop, and its watch") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    const Ref target = play.spawn("target");
    play.perform(stopper, [&](Puppet&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(target, 5s, Note{3});  // which stops nobody
    });
    play.fail<Restarting>(stopper);
    CHECK(play.cell(target).extras->death_watch.books().watchers.empty());
    play.stop(target);
    CHECK(play.life_of("stopper").find("stopped") == std::string::npos);
  });
}

TEST_CASE("137 a parent that stops a child gracefully and watches it hears both") {
  under_seeds([](Play& play) {
    const Ref stopper = play.spawn<Stopper>("stopper");
    const Ref child = play.spawn_under(stopper, "child");
    play.watch(stopper, child);
    play.perform(stopper, [&](Puppet&, Context& ctx) {
      ctx.graceful_stop<&Stopper::on_stopped>(child, 5s);
    });
    CHECK(play.count("stopper stopped parent") == 1);
    CHECK(play.count(ended("stopper", "child", "parent")) == 1);
  });
}

}  // namespace actord::conformance
