// SPDX-License-Identifier: Apache-2.0
//
// The restart sequence: items 21 to 40.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using All = Boss<[] { return all_for_one(); }>;

/// A condition: the actor's cell is at this stage.
auto is_at(SeededTest& test, Ref whom, actor::Stage stage) {
  return [&test, whom, stage] { return test.cell(whom).life.stage() == stage; };
}

}  // namespace

TEST_CASE("21 a restart: old hooks, stopped children awaited, new instance, then those it kept") {
  under_seeds([](SeededTest& test) {
    Ref doomed;
    const Ref boss = test.spawn("boss", {.pre_restart = [&](ScriptedActor&, Context& ctx,
                                                            const Failure&) { ctx.stop(doomed); }});
    doomed = test.spawn_under(boss, "doomed");
    test.spawn_under(doomed, "leaf");
    const Ref kept = test.spawn_under(boss, "kept");
    test.queue_failure<Restarting>(boss);
    test.note(boss, 1);
    test.note(kept, 2);
    test.world.run();
    CHECK(test.came_in_order({"boss pre_restart 0", "leaf post_stop 0", "doomed post_stop 0",
                              "boss new 1", "boss post_restart 1", "kept pre_restart 0",
                              "kept new 1", "kept post_restart 1"}));
    CHECK(test.came_in_order({"boss post_restart 1", "boss got 1"}));
    CHECK(test.count("boss got 1") == 1);
    CHECK(test.count("kept got 2") == 1);
    CHECK(test.count("doomed post_stop 0") == 1);
  });
}

TEST_CASE("22 with both hooks overridden three kills within the limit, then postStop only") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Boss<[] { return one_for_one({.max_restarts = 3}); }>>("boss");
    Script script;
    script.pre_restart = script.post_restart = [](ScriptedActor&, Context&, const Failure&) {};
    const Ref child = test.spawn_under(boss, "child", script);
    for (int i = 0; i < 4; ++i) test.fail<Restarting>(child);
    CHECK(test.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, new 1, post_restart 1, pre_restart 1, new 2, "
          "post_restart 2, pre_restart 2, new 3, post_restart 3, post_stop 3");
  });
}

namespace {

/// Overrides no restart hook, so that the runtime's defaults run.
class Plain : public Actor {
 public:
  Plain(Context& ctx, SeededTest* test, const Script&)
      : test_(*test), number_(test->next_number("plain")) {
    test_.enter(ctx.self(), "plain");
  }
  void pre_start(Context& ctx) override {
    record("pre_start ");
    ctx.spawn<ScriptedActor>("child", &test_, Script{});
  }
  void post_stop(Context&) override { record("post_stop "); }
  void act(Context&, const Act&) { throw Restarting("boom"); }
  using Receive = Handlers<&Plain::act>;

 private:
  void record(const std::string& what) { test_.record("plain", what + std::to_string(number_)); }

  SeededTest& test_;
  const int number_;
};

}  // namespace

TEST_CASE("23 without overridden hooks a restart shows as postStop then preStart") {
  under_seeds([](SeededTest& test) {
    const Ref plain = test.spawn<Plain>("plain");
    for (int i = 0; i < 3; ++i) test.world.send(plain.value, Act{});
    CHECK(test.life_of("plain") ==
          "pre_start 0, post_stop 0, pre_start 1, post_stop 1, pre_start 2, post_stop 2, "
          "pre_start 3");
    CHECK(test.came_in_order({"child new 0", "child post_stop 0", "plain pre_start 1",
                              "child new 1", "child post_stop 1"}));
  });
}

TEST_CASE("24 an actor that never fails and is stopped sees no restart hook") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.note(child, 1);
    test.world.run();
    test.stop(child);
    CHECK(test.life_of("child") == "new 0, pre_start 0, got 1, post_stop 0");
  });
}

TEST_CASE("25 preRestart sees cause, failing message and sender, and can reply") {
  under_seeds([](SeededTest& test) {
    int restarts = 0;
    const Ref asker = test.spawn("asker");
    Script script{
        .question = [](ScriptedActor&, Context&, const Question&) { throw Restarting("boom"); }};
    script.pre_restart = [&](ScriptedActor&, Context& ctx, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "boom");
      CHECK(ctx.sender() == asker);
      CHECK(ctx.message_as<Note>() == nullptr);
      const Question* const asked = ctx.message_as<Question>();
      CHECK(asked != nullptr);
      if (asked != nullptr) ctx.reply(Answer{asked->n});
    };
    const Ref child = test.spawn("child", script);
    test.world.send(child.value, Question{7}, asker.value);
    CHECK(restarts == 1);
    CHECK(test.count("asker answer 7") == 1);
  });
}

TEST_CASE("26 restarted for a sibling's failure there is no message") {
  under_seeds([](SeededTest& test) {
    int others = 0;
    const Ref boss = test.spawn<All>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.spawn_under(boss, "other",
                     {.pre_restart = [&](ScriptedActor&, Context& ctx, const Failure& f) {
                       ++others;
                       CHECK_FALSE(ctx.has_message());
                       CHECK_FALSE(ctx.sender());
                       CHECK(f.is<Restarting>());
                     }});
    test.fail<Restarting>(child);
    CHECK(others == 1);
  });
}

TEST_CASE("27 restarted after an escalation a supervisor sees no message") {
  under_seeds([](SeededTest& test) {
    int restarts = 0;
    const Ref top = test.spawn("top");
    const Ref boss = test.spawn_under<Judge>(
        top, "boss", {.pre_restart = [&](ScriptedActor&, Context& ctx, const Failure& reason) {
          ++restarts;
          CHECK_FALSE(ctx.has_message());
          CHECK_FALSE(ctx.sender());
          CHECK(reason.is<Escalating>());
        }});
    test.fail<Escalating>(test.spawn_under(boss, "child"));
    CHECK(restarts == 1);
  });
}

TEST_CASE("28 every incarnation is constructed, from the original arguments") {
  under_seeds([](SeededTest& test) {
    int constructed = 0;
    const auto token = std::make_shared<int>(7);
    const Ref child =
        test.spawn("child", {.construct = [&constructed, token](ScriptedActor& p, Context&) {
                     ++constructed;
                     p.value = *token;
                   }});
    CHECK(test.value(child) == 7);
    test.perform(child, [](ScriptedActor& actor, Context&) { actor.value = 8; });
    for (int i = 0; i < 3; ++i) test.fail<Restarting>(child);
    CHECK(test.value(child) == 7);
    CHECK(constructed == 4);
    test.stop(child);
    CHECK(token.use_count() == 1);
  });
}

TEST_CASE("29 an instance made of outside state: hooks and counters go on, the budget holds") {
  under_seeds([](SeededTest& test) {
    struct Outside {
      int generation = 0, hooks = 0;
    } outside;
    const Ref boss = test.spawn<Boss<[] { return one_for_one({.max_restarts = 3}); }>>("boss");
    Script script{
        .construct = [&](ScriptedActor& actor, Context&) { actor.value = outside.generation++; }};
    script.pre_restart =
        script.post_restart = [&](ScriptedActor&, Context&, const Failure&) { ++outside.hooks; };
    const Ref child = test.spawn_under(boss, "child", script);
    for (int i = 0; i < 3; ++i) test.fail<Restarting>(child);
    CHECK(test.value(child) == 3);
    CHECK(outside.hooks == 6);
    test.fail<Restarting>(child);
    CHECK_FALSE(test.is_alive(child));
    CHECK(outside.hooks == 6);
  });
}

TEST_CASE(
    "30 waiting for a stopped child blocks no worker, and the new instance comes after its end") {
  SeededTest::Setup one_worker;
  one_worker.options.workers = 1;
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn("boss");
        Ref parent = test.spawn_under(boss, "slow");
        for (int i = 0; i < 5; ++i) parent = test.spawn_under(parent, "below-" + std::to_string(i));
        const Ref bystander = test.spawn("bystander");
        test.queue_failure<Restarting>(boss);
        REQUIRE(test.step_until(is_at(test, boss, actor::Stage::recreating)));
        test.note(bystander, 1);
        test.world.run();
        CHECK(test.count("bystander got 1") == 1);
        CHECK(test.came_in_order(
            {"boss post_stop 0", "below-4 post_stop 0", "slow post_stop 0", "boss new 1"}));
      },
      one_worker);
}

TEST_CASE("31 orders that arrive while a restart waits are replayed in order after it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.spawn_under(boss, "slow");
    const Ref watcher = test.spawn("watcher");
    test.queue_failure<Restarting>(boss);
    REQUIRE(test.step_until(is_at(test, boss, actor::Stage::recreating)));
    test.send_system(boss, actor::SystemMessage::suspend());
    test.send_system(boss, actor::SystemMessage::suspend());
    test.send_system(boss, actor::SystemMessage::resume());
    test.queue(watcher, [boss](ScriptedActor&, Context& ctx) { ctx.watch(boss); });
    test.note(boss, 1);
    test.world.run();
    CHECK(test.count("boss new 1") == 1);
    CHECK(test.cell(boss).life.suspensions() == 1);
    CHECK(test.count("boss got 1") == 0);
    test.world.send_system(boss.value, actor::SystemMessage::resume());
    CHECK(test.count("boss got 1") == 1);
    test.stop(boss);
    CHECK(test.count(ended("watcher", "boss", "stopped")) == 1);
  });
}

TEST_CASE("31 a second restart that arrives while the first waits comes after it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<All>("boss");
    const Ref one = test.spawn_under(boss, "one");
    test.spawn_under(one, "slow");
    const Ref two = test.spawn_under(boss, "two");
    test.queue_failure<Restarting>(one);
    REQUIRE(test.step_until(is_at(test, one, actor::Stage::recreating)));
    test.queue_failure<Restarting>(two);
    test.world.run();
    CHECK(test.answers(one));
    CHECK(test.answers(two));
    CHECK(test.cell(one).life.suspensions() == 0);
    CHECK(test.world.incarnation(one.value) == test.world.incarnation(two.value));
  });
}

TEST_CASE("32 stopped while it waits for re-creation it ends, with postStop once") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.spawn_under(boss, "slow");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, boss);
    test.queue_failure<Restarting>(boss);
    REQUIRE(test.step_until(is_at(test, boss, actor::Stage::recreating)));
    test.stop(boss);
    CHECK_FALSE(test.is_alive(boss));
    CHECK(test.life_of("boss") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK(test.life_of("slow") == "new 0, pre_start 0, post_stop 0");
    CHECK(test.count(ended("watcher", "boss", "stopped")) == 1);
  });
}

TEST_CASE("33 a kept child is restarted with the same cause, and so on downwards") {
  under_seeds([](SeededTest& test) {
    int restarts = 0;
    Script script{.pre_restart = [&](ScriptedActor&, Context&, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "the cause");
    }};
    const Ref boss = test.spawn("boss", script);
    const Ref child = test.spawn_under(boss, "child", script);
    const Ref grandchild = test.spawn_under(child, "grandchild", script);
    test.fail<Restarting>(boss, "the cause");
    CHECK(restarts == 3);
    CHECK(test.came_in_order({"boss post_restart 1", "child pre_restart 0", "child post_restart 1",
                              "grandchild pre_restart 0", "grandchild post_restart 1"}));
    for (const Ref each : {boss, child, grandchild}) CHECK(test.answers(each));
  });
}

TEST_CASE("34 a new incarnation re-creates children by the names that preRestart freed") {
  under_seeds([](SeededTest& test) {
    const auto spawns = [](ScriptedActor& actor, Context& ctx) {
      ctx.spawn<ScriptedActor>("named", &actor.test(), Script{});
    };
    const Ref by_constructor = test.spawn("by-constructor", {.construct = spawns});
    const Ref by_hook = test.spawn("by-hook", {.pre_start = spawns});
    const Ref old_child = test.find("/user/by-hook/named");
    test.fail<Restarting>(by_constructor);
    test.fail<Restarting>(by_hook);
    CHECK(test.answers(by_constructor));
    CHECK(test.answers(by_hook));
    CHECK(test.answers(test.find("/user/by-constructor/named")));
    CHECK(test.answers(test.find("/user/by-hook/named")));
    CHECK(test.find("/user/by-hook/named") != old_child);
    CHECK(test.count("named new 3") == 1);
  });
}

TEST_CASE("35 a restart returns to the initial behaviour") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) {
      ctx.become_on_top<ScriptedActor::Busy>();
      ctx.become_on_top<ScriptedActor::Busy>();
    });
    test.fail<Restarting>(child);
    test.note(child, 1);
    test.world.run();
    CHECK(test.count("child got 1") == 1);
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.unbecome(); });
    test.note(child, 2);
    test.world.run();
    CHECK(test.count("child got 2") == 1);
  });
}

TEST_CASE("36 a restart keeps reference and path, and watchers hear nothing") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, child);
    for (int i = 0; i < 3; ++i) test.fail<Restarting>(child);
    CHECK(test.find("/user/child") == child);
    CHECK(test.world.path(child.value) == "/user/child");
    CHECK(test.life_of("watcher") == "new 0, pre_start 0");
  });
}

TEST_CASE("37 what is sent during the restart is kept in order for the new incarnation") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.spawn_under(boss, "slow");
    test.queue_failure<Restarting>(boss);
    REQUIRE(test.step_until(is_at(test, boss, actor::Stage::recreating)));
    for (int i = 1; i <= 5; ++i) test.note(boss, i);
    test.world.run();
    CHECK(test.life_of("boss") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1, "
          "got 1, got 2, got 3, got 4, got 5");
  });
}

TEST_CASE("38 what was queued before the restart is delivered after it") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.note(child, 1);
    test.queue_failure<Restarting>(child);
    test.note(child, 2);
    test.queue_failure<Restarting>(child);
    test.note(child, 3);
    test.world.run();
    CHECK(test.came_in_order(
        {"child got 1", "child new 1", "child got 2", "child new 2", "child got 3"}));
    CHECK(test.count("child got 2") == 1);
    CHECK(test.count("child got 3") == 1);
  });
}

TEST_CASE("39 the middle of three fails: it and the last restart once each, the top not") {
  under_seeds([](SeededTest& test) {
    const Ref top = test.spawn("top", {.keeps_children = true});
    const Ref middle = test.spawn_under(top, "middle", {.keeps_children = true});
    const Ref last = test.spawn_under(middle, "last", {.keeps_children = true});
    test.fail<Restarting>(middle);
    CHECK(test.world.incarnation(top.value) == 0);
    CHECK(test.world.incarnation(middle.value) == 1);
    CHECK(test.world.incarnation(last.value) == 1);
    for (const Ref each : {top, middle, last}) CHECK(test.answers(each));
  });
}

TEST_CASE("40 a restart that reaches a stopping actor never revives it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<All>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref leaving = test.spawn_under(boss, "leaving");
    test.spawn_under(leaving, "slow");
    const Ref watcher = test.spawn("watcher");
    test.watch(watcher, leaving);
    test.queue_failure<Restarting>(child);
    test.queue(leaving, [](ScriptedActor&, Context& ctx) { ctx.stop_self(); });
    test.world.run();
    CHECK_FALSE(test.is_alive(leaving));
    CHECK(test.count(ended("watcher", "leaving", "stopped")) == 1);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
    CHECK(test.answers(boss));
  });
}

TEST_CASE("40 a restart of an actor that awaits its children is a balanced resume") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<All>("boss");
    const Ref child = test.spawn_under(boss, "child");
    const Ref leaving = test.spawn_under(boss, "leaving");
    test.spawn_under(leaving, "slow");
    test.send_system(leaving, actor::SystemMessage::terminate());
    REQUIRE(test.step_until(is_at(test, leaving, actor::Stage::terminating)));
    test.queue_failure<Restarting>(child);
    test.world.run();
    CHECK(test.life_of("leaving") == "new 0, pre_start 0, post_stop 0");
    CHECK(test.answers(child));
  });
}

// A cause may be shared by several readers: an answer made from it copies its message.
TEST_CASE("25 the message that a cause carries reaches postRestart, even after a failure reply") {
  under_seeds([](SeededTest& test) {
    const auto read = [](ScriptedActor& actor, const Failure& reason) {
      const auto* const letter = reason.payload_as<Letter>();
      actor.record(letter != nullptr ? letter->text : "nothing");
    };
    const Ref child =
        test.spawn("child", {.pre_restart =
                                 [=](ScriptedActor& actor, Context& ctx, const Failure& reason) {
                                   ctx.reply_failure(reason);
                                   read(actor, reason);
                                 },
                             .post_restart = [=](ScriptedActor& actor, Context&,
                                                 const Failure& reason) { read(actor, reason); },
                             .question =
                                 [](ScriptedActor&, Context& ctx, const Question&) {
                                   ctx.fail_with<Restarting>(
                                       "boom", Letter{"a text too long to lie in the string"});
                                 }});
    const Ref asker = test.spawn("asker");
    test.perform(asker, [=](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(child, Question{1}, 1s);
    });
    CHECK(test.count("child a text too long to lie in the string") == 2);
    CHECK(test.count("asker refused actord::conformance::Restarting: boom") == 1);
  });
}

}  // namespace actord::conformance
