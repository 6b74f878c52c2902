// SPDX-License-Identifier: Apache-2.0
//
// Death watch: items 116 to 131.
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("116 who watches gets one Terminated when the target stops") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, target);
    play.stop(target);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
  });
}

TEST_CASE("117 who watches somebody dead or never alive gets a Terminated, not confirmed") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.stop(target);
    play.watch(watcher, target);
    CHECK(play.count("watcher terminated target unconfirmed no-such-actor") == 1);
    play.watch(watcher, Ref{(std::uint64_t{77} << 32) | 12345});
    CHECK(play.count("watcher terminated nobody unconfirmed no-such-actor") == 1);
  });
}

TEST_CASE("118 each of three watchers gets one, and one who unwatched none") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    std::vector<Ref> watchers;
    for (int i = 0; i < 4; ++i) {
      watchers.push_back(play.spawn("watcher-" + std::to_string(i)));
      play.watch(watchers[i], target);
    }
    play.perform(watchers[3], [target](Puppet&, Context& ctx) { ctx.unwatch(target); });
    play.world.send(target.value, PoisonPill{});
    for (int i = 0; i < 3; ++i)
      CHECK(play.count(ended("watcher-" + std::to_string(i), "target", "poison")) == 1);
    CHECK(play.life_of("watcher-3") == "new 0, pre_start 0");
  });
}

TEST_CASE("119 restarted and then stopped there is one Terminated, after the stop") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, target);
    for (int i = 0; i < 5; ++i) play.fail<Restarting>(target);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0");
    play.stop(target);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
  });
}

TEST_CASE("120 a watcher without a handler for Terminated dies with the watched") {
  under_seeds([](Play& play) {
    std::string causes;
    const Ref boss = play.spawn("boss", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                                  causes += std::string{failure.type()} + ' ';
                                  return Directive::undecided;
                                }});
    const Ref bound = play.spawn_under<Bound>(boss, "bound");
    const Ref target = play.spawn_under(boss, "target");
    const Ref witness = play.spawn("witness");
    play.watch(bound, target);
    play.watch(witness, bound);
    play.world.send(target.value, Kill{});
    CHECK(causes == "actord::Killed actord::DeathPact ");
    CHECK_FALSE(play.is_alive(bound));
    CHECK(play.count(ended("witness", "bound", "failed")) == 1);
    CHECK(play.count("bound post_stop 0") == 1);
  });
}

TEST_CASE("121 unwatched between notice and handling the queued Terminated is discarded") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, target);
    // Suspended, the watcher gets the notice and not yet the message; what is queued before goes
    // first.
    play.queue(watcher, [target](Puppet&, Context& ctx) { ctx.unwatch(target); });
    play.order(watcher, actor::Order::suspend);
    play.world.run();
    play.stop(target);
    play.world.order(watcher.value, actor::Order::resume);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0");
  });
}

TEST_CASE("122 watching twice is once, watching oneself nothing, unwatching a stranger nothing") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref stranger = play.spawn("stranger");
    const Ref watcher = play.spawn("watcher");
    play.perform(watcher, [&](Puppet&, Context& ctx) {
      ctx.watch(target);
      ctx.watch(target);
      ctx.watch(ctx.self());
      ctx.unwatch(stranger);
    });
    play.stop(target);
    play.stop(stranger);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
    play.stop(watcher);
  });
}

TEST_CASE("125 a notice about somebody who is not watched is ignored") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    actor::SystemBody body;
    body.subject = target.value;
    body.flags = actor::SystemBody::existence_confirmed;
    play.order(watcher, actor::Order::terminated, body);
    play.order(watcher, actor::Order::child_terminated, body);
    play.world.run();
    CHECK(play.life_of("watcher") == "new 0, pre_start 0");
    CHECK(play.answers(target));
  });
}

TEST_CASE("126 a parent gets a Terminated of its child only if it watches") {
  under_seeds([](Play& play) {
    int noticed = 0;
    const Ref boss =
        play.spawn("boss", {.child_terminated = [&](Puppet&, Context&, Ref) { ++noticed; }});
    const Ref one = play.spawn_under(boss, "one");
    const Ref two = play.spawn_under(boss, "two");
    play.watch(boss, two);
    play.stop(one);
    play.stop(two);
    CHECK(noticed == 2);
    CHECK(play.life_of("boss") == "new 0, pre_start 0, terminated two confirmed stopped");
    play.perform(boss, [](Puppet&, Context& ctx) { CHECK(ctx.children().empty()); });
  });
}

TEST_CASE("127 while it handles Terminated a parent can use the name again") {
  under_seeds([](Play& play) {
    Ref successor;
    const Ref boss = play.spawn(
        "boss", {.terminated = [&](Puppet& puppet, Context& ctx, const Terminated& notice) {
          successor = ctx.spawn<Puppet>("child", &puppet.play(), Part{});
          CHECK(successor != notice.who);
          CHECK(ctx.path(successor) == ctx.path(notice.who));
        }});
    const Ref child = play.spawn_under(boss, "child");
    play.watch(boss, child);
    play.stop(child);
    CHECK(play.answers(successor));
    CHECK(play.find("/user/boss/child") == successor);
    CHECK_FALSE(play.is_alive(child));
  });
}

TEST_CASE("128 a new incarnation gets no Terminated of children that the old one watched") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss", {.pre_start = [](Puppet& puppet, Context& ctx) {
                                  ctx.watch(ctx.spawn<Puppet>("child", &puppet.play(), Part{}));
                                }});
    for (int i = 0; i < 3; ++i) play.fail<Restarting>(boss);
    CHECK(play.life_of("boss").find("terminated") == std::string::npos);
    play.stop(play.find("/user/boss/child"));
    CHECK(play.count(ended("boss", "child", "stopped")) == 1);
  });
}

TEST_CASE("129 a watcher that ends first unregisters, and no stray Terminated is left") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, target);
    play.stop(watcher);
    play.stop(target);
    CHECK(play.world.events("deadletter").empty());
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE("130 what the dying one sent before comes before its Terminated, with the reason") {
  under_seeds([](Play& play) {
    const Ref watcher = play.spawn("watcher");
    const Ref target = play.spawn(
        "target", {.post_stop = [watcher](Puppet&, Context& ctx) { ctx.tell(watcher, Note{3}); }});
    play.watch(watcher, target);
    play.perform(target, [watcher](Puppet&, Context& ctx) {
      ctx.tell(watcher, Note{1});
      ctx.tell(watcher, Note{2});
      ctx.stop_self();
    });
    CHECK(play.life_of("watcher") ==
          "new 0, pre_start 0, got 1, got 2, got 3, terminated target confirmed stopped");
  });
}

TEST_CASE("130 a Terminated passes a full mailbox") {
  Play::Setup setup;
  setup.before_start = [](Play& play) { play.rules = {{"/user/watcher", {}, "", 2}}; };
  under_seeds(
      [](Play& play) {
        const Ref target = play.spawn("target");
        const Ref watcher = play.spawn("watcher");
        play.watch(watcher, target);
        play.world.order(watcher.value, actor::Order::suspend);
        for (int i = 1; i <= 4; ++i) play.note(watcher, i);
        play.world.run();
        play.stop(target);
        play.world.order(watcher.value, actor::Order::resume);
        CHECK(play.life_of("watcher") ==
              "new 0, pre_start 0, got 1, got 2, terminated target confirmed stopped");
        for (int i = 5; i <= 6; ++i) play.note(watcher, i);
        play.world.run();
        CHECK(play.count("watcher got 6") == 1);
        CHECK(play.world.events("deadletter").size() == 2);
      },
      setup);
}

TEST_CASE("131 the order of an end: postStop, mail to dead letters, the parent, the watchers") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss", {.child_terminated = [](Puppet& puppet, Context&, Ref) {
                                  puppet.record("child_terminated");
                                }});
    const Ref child = play.spawn_under(boss, "child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    play.watch(boss, child);
    play.queue(child, [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.note(child, 1);
    play.world.run();
    CHECK(play.came_in_order({"child post_stop 0", "boss child_terminated"}));
    CHECK(play.came_in_order({"boss child_terminated", "boss terminated child confirmed stopped"}));
    CHECK(play.came_in_order({"child post_stop 0", "watcher terminated child confirmed stopped"}));
    CHECK(play.count("child got 1") == 0);
    CHECK(play.world.events("deadletter").size() == 1);
  });
}

TEST_CASE("131 an actor that ends drops its own watches") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, target);
    play.stop(watcher);
    CHECK(play.cell(target).extras->death_watch.books().watchers.empty());
  });
}

}  // namespace actord::conformance
