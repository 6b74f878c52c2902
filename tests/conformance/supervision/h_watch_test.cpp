// SPDX-License-Identifier: Apache-2.0
//
// Death watch: items 116 to 131.
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("116 a watcher gets one Terminated when the target stops") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, target);
    test.stop(target);
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
  });
}

TEST_CASE("117 a watcher of a dead or never existing actor gets a Terminated, not confirmed") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.stop(target);
    test.watch(watcher, target);
    CHECK(test.count("watcher terminated target unconfirmed no-such-actor") == 1);
    test.watch(watcher, Ref{(std::uint64_t{77} << 32) | 12345});
    CHECK(test.count("watcher terminated nobody unconfirmed no-such-actor") == 1);
  });
}

TEST_CASE("118 each of three watchers gets one Terminated, and one that unwatched gets none") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    std::vector<Ref> watchers;
    for (int i = 0; i < 4; ++i) {
      watchers.push_back(test.spawn("watcher-" + std::to_string(i)));
      test.watch(watchers[i], target);
    }
    test.perform(watchers[3], [target](ScriptedActor&, Context& ctx) { ctx.unwatch(target); });
    test.world.send(target.value, PoisonPill{});
    for (int i = 0; i < 3; ++i)
      CHECK(test.count(ended("watcher-" + std::to_string(i), "target", "poison")) == 1);
    CHECK(test.life_of("watcher-3") == "new 0, pre_start 0");
  });
}

TEST_CASE("119 restarted and then stopped there is one Terminated, after the stop") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, target);
    for (int i = 0; i < 5; ++i) test.fail<Restarting>(target);
    CHECK(test.life_of("watcher") == "new 0, pre_start 0");
    test.stop(target);
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
  });
}

TEST_CASE("120 a watcher without a handler for Terminated dies with the watched") {
  under_seeds([](SeededTest& test) {
    std::string causes;
    const Ref boss =
        test.spawn("boss", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
                     causes += std::string{failure.type()} + ' ';
                     return Directive::undecided;
                   }});
    const Ref bound = test.spawn_under<Bound>(boss, "bound");
    const Ref target = test.spawn_under(boss, "target");
    const Ref witness = test.spawn("witness");
    test.watch(bound, target);
    test.watch(witness, bound);
    test.world.send(target.value, Kill{});
    CHECK(causes == "actord::Killed actord::DeathPact ");
    CHECK_FALSE(test.is_alive(bound));
    CHECK(test.count(ended("witness", "bound", "failed")) == 1);
    CHECK(test.count("bound post_stop 0") == 1);
  });
}

TEST_CASE("121 unwatched between notice and handling the queued Terminated is discarded") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, target);
    // While suspended, the watcher receives the notice but not yet the message; messages that were
    // queued before go first.
    test.queue(watcher, [target](ScriptedActor&, Context& ctx) { ctx.unwatch(target); });
    test.send_system(watcher, actor::SystemMessage::suspend());
    test.world.run();
    test.stop(target);
    test.world.send_system(watcher.value, actor::SystemMessage::resume());
    CHECK(test.life_of("watcher") == "new 0, pre_start 0");
  });
}

TEST_CASE("122 watching twice is once, watching oneself nothing, unwatching a stranger nothing") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref stranger = test.spawn("stranger");
    const Ref watcher = test.spawn("watcher");
    test.perform(watcher, [&](ScriptedActor&, Context& ctx) {
      ctx.watch(target);
      ctx.watch(target);
      ctx.watch(ctx.self());
      ctx.unwatch(stranger);
    });
    test.stop(target);
    test.stop(stranger);
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated target confirmed stopped");
    test.stop(watcher);
  });
}

TEST_CASE("125 a death notice of an actor that is not watched is ignored") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    const auto reason = actor::StopReason::stopped;
    test.send_system(watcher, actor::SystemMessage::terminated(target.value, reason, true, 0));
    test.send_system(watcher, actor::SystemMessage::child_terminated(target.value, reason));
    test.world.run();
    CHECK(test.life_of("watcher") == "new 0, pre_start 0");
    CHECK(test.answers(target));
  });
}

TEST_CASE("126 a parent gets a Terminated of its child only if it watches") {
  under_seeds([](SeededTest& test) {
    int noticed = 0;
    const Ref boss =
        test.spawn("boss", {.child_terminated = [&](ScriptedActor&, Context&, Ref) { ++noticed; }});
    const Ref one = test.spawn_under(boss, "one");
    const Ref two = test.spawn_under(boss, "two");
    test.watch(boss, two);
    test.stop(one);
    test.stop(two);
    CHECK(noticed == 2);
    CHECK(test.life_of("boss") == "new 0, pre_start 0, terminated two confirmed stopped");
    test.perform(boss, [](ScriptedActor&, Context& ctx) { CHECK(ctx.children().empty()); });
  });
}

TEST_CASE("127 while it handles Terminated a parent can use the name again") {
  under_seeds([](SeededTest& test) {
    Ref successor;
    const Ref boss = test.spawn(
        "boss", {.terminated = [&](ScriptedActor& actor, Context& ctx, const Terminated& notice) {
          successor = ctx.spawn<ScriptedActor>("child", &actor.test(), Script{});
          CHECK(successor != notice.who);
          CHECK(ctx.path(successor) == ctx.path(notice.who));
        }});
    const Ref child = test.spawn_under(boss, "child");
    test.watch(boss, child);
    test.stop(child);
    CHECK(test.answers(successor));
    CHECK(test.find("/user/boss/child") == successor);
    CHECK_FALSE(test.is_alive(child));
  });
}

TEST_CASE("128 a new incarnation gets no Terminated of children that the old one watched") {
  under_seeds([](SeededTest& test) {
    const Ref boss =
        test.spawn("boss", {.pre_start = [](ScriptedActor& actor, Context& ctx) {
                     ctx.watch(ctx.spawn<ScriptedActor>("child", &actor.test(), Script{}));
                   }});
    for (int i = 0; i < 3; ++i) test.fail<Restarting>(boss);
    CHECK(test.life_of("boss").find("terminated") == std::string::npos);
    test.stop(test.find("/user/boss/child"));
    CHECK(test.count(ended("boss", "child", "stopped")) == 1);
  });
}

TEST_CASE("129 a watcher that ends first unregisters, and no stray Terminated is left") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, target);
    test.stop(watcher);
    test.stop(target);
    CHECK(test.world.events("deadletter").empty());
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE(
    "130 what a stopping actor has sent arrives before its Terminated, which has the reason") {
  under_seeds([](SeededTest& test) {
    const Ref watcher = test.spawn("watcher");
    const Ref target = test.spawn("target", {.post_stop = [watcher](ScriptedActor&, Context& ctx) {
                                    ctx.tell(watcher, Note{3});
                                  }});
    test.watch(watcher, target);
    test.perform(target, [watcher](ScriptedActor&, Context& ctx) {
      ctx.tell(watcher, Note{1});
      ctx.tell(watcher, Note{2});
      ctx.stop_self();
    });
    CHECK(test.life_of("watcher") ==
          "new 0, pre_start 0, got 1, got 2, got 3, terminated target confirmed stopped");
  });
}

TEST_CASE("130 a Terminated passes a full mailbox") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/watcher", {.mailbox_capacity = 2}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref target = test.spawn("target");
        const Ref watcher = test.spawn("watcher");
        test.watch(watcher, target);
        test.world.send_system(watcher.value, actor::SystemMessage::suspend());
        for (int i = 1; i <= 4; ++i) test.note(watcher, i);
        test.world.run();
        test.stop(target);
        test.world.send_system(watcher.value, actor::SystemMessage::resume());
        CHECK(test.life_of("watcher") ==
              "new 0, pre_start 0, got 1, got 2, terminated target confirmed stopped");
        for (int i = 5; i <= 6; ++i) test.note(watcher, i);
        test.world.run();
        CHECK(test.count("watcher got 6") == 1);
        CHECK(test.world.events("deadletter").size() == 2);
      },
      setup);
}

TEST_CASE("131 the order of an end: postStop, mail to dead letters, the parent, the watchers") {
  under_seeds([](SeededTest& test) {
    const Ref boss =
        test.spawn("boss", {.child_terminated = [](ScriptedActor& actor, Context&, Ref) {
                     actor.record("child_terminated");
                   }});
    const Ref child = test.spawn_under(boss, "child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    test.watch(boss, child);
    test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.note(child, 1);
    test.world.run();
    CHECK(test.came_in_order({"child post_stop 0", "boss child_terminated"}));
    CHECK(test.came_in_order({"boss child_terminated", "boss terminated child confirmed stopped"}));
    CHECK(test.came_in_order({"child post_stop 0", "watcher terminated child confirmed stopped"}));
    CHECK(test.count("child got 1") == 0);
    CHECK(test.world.events("deadletter").size() == 1);
  });
}

TEST_CASE("131 an actor that ends drops its own watches") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, target);
    test.stop(watcher);
    CHECK(test.cell(target).extras->death_watch.watches().watchers.empty());
  });
}

}  // namespace actord::conformance
