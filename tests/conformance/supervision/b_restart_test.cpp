// SPDX-License-Identifier: Apache-2.0
//
// The restart sequence: items 21 to 40.
#include "play.hpp"

namespace actord::conformance {

namespace {

using All = Boss<[] { return all_for_one(); }>;

/// The stage of a puppet's cell is this.
auto is_at(Play& play, Ref whom, actor::Stage stage) {
  return [&play, whom, stage] { return play.cell(whom).life.stage() == stage; };
}

}  // namespace

TEST_CASE("21 a restart: old hooks, stopped children awaited, new instance, then those it kept") {
  under_seeds([](Play& play) {
    Ref doomed;
    const Ref boss = play.spawn(
        "boss", {.pre_restart = [&](Puppet&, Context& ctx, const Failure&) { ctx.stop(doomed); }});
    doomed = play.spawn_under(boss, "doomed");
    play.spawn_under(doomed, "leaf");
    const Ref kept = play.spawn_under(boss, "kept");
    play.queue_failure<Restarting>(boss);
    play.note(boss, 1);
    play.note(kept, 2);
    play.world.run();
    CHECK(play.came_in_order({"boss pre_restart 0", "leaf post_stop 0", "doomed post_stop 0",
                              "boss new 1", "boss post_restart 1", "kept pre_restart 0",
                              "kept new 1", "kept post_restart 1"}));
    CHECK(play.came_in_order({"boss post_restart 1", "boss got 1"}));
    CHECK(play.count("boss got 1") == 1);
    CHECK(play.count("kept got 2") == 1);
    CHECK(play.count("doomed post_stop 0") == 1);
  });
}

TEST_CASE("22 with both hooks overridden three kills within the limit, then postStop only") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<Boss<[] { return one_for_one({.max_restarts = 3}); }>>("boss");
    Part part;
    part.pre_restart = part.post_restart = [](Puppet&, Context&, const Failure&) {};
    const Ref child = play.spawn_under(boss, "child", part);
    for (int i = 0; i < 4; ++i) play.fail<Restarting>(child);
    CHECK(play.life_of("child") ==
          "new 0, pre_start 0, pre_restart 0, new 1, post_restart 1, pre_restart 1, new 2, "
          "post_restart 2, pre_restart 2, new 3, post_restart 3, post_stop 3");
  });
}

namespace {

/// Overrides no restart hook, so that the runtime's own defaults act.
class Plain : public Actor {
 public:
  Plain(Context& ctx, Play* play, const Part&) : play_(*play), number_(play->next_number("plain")) {
    play_.enter(ctx.self(), "plain");
  }
  void pre_start(Context& ctx) override {
    record("pre_start ");
    ctx.spawn<Puppet>("child", &play_, Part{});
  }
  void post_stop(Context&) override { record("post_stop "); }
  void act(Context&, const Act&) { throw Restarting("boom"); }
  using Receive = Handlers<&Plain::act>;

 private:
  void record(const std::string& what) { play_.record("plain", what + std::to_string(number_)); }

  Play& play_;
  const int number_;
};

}  // namespace

TEST_CASE("23 without overridden hooks a restart shows as postStop then preStart") {
  under_seeds([](Play& play) {
    const Ref plain = play.spawn<Plain>("plain");
    for (int i = 0; i < 3; ++i) play.world.send(plain.value, Act{});
    CHECK(play.life_of("plain") ==
          "pre_start 0, post_stop 0, pre_start 1, post_stop 1, pre_start 2, post_stop 2, "
          "pre_start 3");
    CHECK(play.came_in_order({"child new 0", "child post_stop 0", "plain pre_start 1",
                              "child new 1", "child post_stop 1"}));
  });
}

TEST_CASE("24 one who never fails and is stopped sees no restart hook") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.note(child, 1);
    play.world.run();
    play.stop(child);
    CHECK(play.life_of("child") == "new 0, pre_start 0, got 1, post_stop 0");
  });
}

TEST_CASE("25 preRestart sees cause, failing message and sender, and can reply") {
  under_seeds([](Play& play) {
    int restarts = 0;
    const Ref asker = play.spawn("asker");
    Part part{.question = [](Puppet&, Context&, const Question&) { throw Restarting("boom"); }};
    part.pre_restart = [&](Puppet&, Context& ctx, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "boom");
      CHECK(ctx.sender() == asker);
      CHECK(ctx.message_as<Note>() == nullptr);
      const Question* const asked = ctx.message_as<Question>();
      CHECK(asked != nullptr);
      if (asked != nullptr) ctx.reply(Answer{asked->n});
    };
    const Ref child = play.spawn("child", part);
    play.world.send(child.value, Question{7}, asker.value);
    CHECK(restarts == 1);
    CHECK(play.count("asker answer 7") == 1);
  });
}

TEST_CASE("26 restarted for a sibling's failure there is no message") {
  under_seeds([](Play& play) {
    int others = 0;
    const Ref boss = play.spawn<All>("boss");
    const Ref child = play.spawn_under(boss, "child");
    play.spawn_under(boss, "other", {.pre_restart = [&](Puppet&, Context& ctx, const Failure& f) {
                       ++others;
                       CHECK_FALSE(ctx.has_message());
                       CHECK_FALSE(ctx.sender());
                       CHECK(f.is<Restarting>());
                     }});
    play.fail<Restarting>(child);
    CHECK(others == 1);
  });
}

TEST_CASE("27 restarted after an escalation a supervisor sees no message") {
  under_seeds([](Play& play) {
    int restarts = 0;
    const Ref top = play.spawn("top");
    const Ref boss = play.spawn_under<Judge>(
        top, "boss", {.pre_restart = [&](Puppet&, Context& ctx, const Failure& reason) {
          ++restarts;
          CHECK_FALSE(ctx.has_message());
          CHECK_FALSE(ctx.sender());
          CHECK(reason.is<Escalating>());
        }});
    play.fail<Escalating>(play.spawn_under(boss, "child"));
    CHECK(restarts == 1);
  });
}

TEST_CASE("28 every incarnation is constructed, from the original arguments") {
  under_seeds([](Play& play) {
    int constructed = 0;
    const auto token = std::make_shared<int>(7);
    const Ref child = play.spawn("child", {.construct = [&constructed, token](Puppet& p, Context&) {
                                   ++constructed;
                                   p.value = *token;
                                 }});
    CHECK(play.value(child) == 7);
    play.perform(child, [](Puppet& puppet, Context&) { puppet.value = 8; });
    for (int i = 0; i < 3; ++i) play.fail<Restarting>(child);
    CHECK(play.value(child) == 7);
    CHECK(constructed == 4);
    play.stop(child);
    CHECK(token.use_count() == 1);
  });
}

TEST_CASE("29 an instance made of outside state: hooks and counters go on, the budget holds") {
  under_seeds([](Play& play) {
    struct Outside {
      int generation = 0, hooks = 0;
    } outside;
    const Ref boss = play.spawn<Boss<[] { return one_for_one({.max_restarts = 3}); }>>("boss");
    Part part{.construct = [&](Puppet& puppet, Context&) { puppet.value = outside.generation++; }};
    part.pre_restart =
        part.post_restart = [&](Puppet&, Context&, const Failure&) { ++outside.hooks; };
    const Ref child = play.spawn_under(boss, "child", part);
    for (int i = 0; i < 3; ++i) play.fail<Restarting>(child);
    CHECK(play.value(child) == 3);
    CHECK(outside.hooks == 6);
    play.fail<Restarting>(child);
    CHECK_FALSE(play.is_alive(child));
    CHECK(outside.hooks == 6);
  });
}

TEST_CASE(
    "30 waiting for a stopped child blocks nobody, and the new instance comes after its end") {
  Play::Setup one_worker;
  one_worker.options.workers = 1;
  under_seeds(
      [](Play& play) {
        const Ref boss = play.spawn("boss");
        Ref parent = play.spawn_under(boss, "slow");
        for (int i = 0; i < 5; ++i) parent = play.spawn_under(parent, "below-" + std::to_string(i));
        const Ref bystander = play.spawn("bystander");
        play.queue_failure<Restarting>(boss);
        REQUIRE(play.step_until(is_at(play, boss, actor::Stage::recreating)));
        play.note(bystander, 1);
        play.world.run();
        CHECK(play.count("bystander got 1") == 1);
        CHECK(play.came_in_order(
            {"boss post_stop 0", "below-4 post_stop 0", "slow post_stop 0", "boss new 1"}));
      },
      one_worker);
}

TEST_CASE("31 orders that arrive while a restart waits are replayed in order after it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    play.spawn_under(boss, "slow");
    const Ref watcher = play.spawn("watcher");
    play.queue_failure<Restarting>(boss);
    REQUIRE(play.step_until(is_at(play, boss, actor::Stage::recreating)));
    play.order(boss, actor::Order::suspend);
    play.order(boss, actor::Order::suspend);
    play.order(boss, actor::Order::resume);
    play.queue(watcher, [boss](Puppet&, Context& ctx) { ctx.watch(boss); });
    play.note(boss, 1);
    play.world.run();
    CHECK(play.count("boss new 1") == 1);
    CHECK(play.cell(boss).life.suspensions() == 1);
    CHECK(play.count("boss got 1") == 0);
    play.world.order(boss.value, actor::Order::resume);
    CHECK(play.count("boss got 1") == 1);
    play.stop(boss);
    CHECK(play.count(ended("watcher", "boss", "stopped")) == 1);
  });
}

TEST_CASE("31 a second restart that arrives while the first waits comes after it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<All>("boss");
    const Ref one = play.spawn_under(boss, "one");
    play.spawn_under(one, "slow");
    const Ref two = play.spawn_under(boss, "two");
    play.queue_failure<Restarting>(one);
    REQUIRE(play.step_until(is_at(play, one, actor::Stage::recreating)));
    play.queue_failure<Restarting>(two);
    play.world.run();
    CHECK(play.answers(one));
    CHECK(play.answers(two));
    CHECK(play.cell(one).life.suspensions() == 0);
    CHECK(play.world.incarnation(one.value) == play.world.incarnation(two.value));
  });
}

TEST_CASE("32 stopped while it waits for re-creation it ends, with postStop once") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    play.spawn_under(boss, "slow");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, boss);
    play.queue_failure<Restarting>(boss);
    REQUIRE(play.step_until(is_at(play, boss, actor::Stage::recreating)));
    play.stop(boss);
    CHECK_FALSE(play.is_alive(boss));
    CHECK(play.life_of("boss") == "new 0, pre_start 0, pre_restart 0, post_stop 0");
    CHECK(play.life_of("slow") == "new 0, pre_start 0, post_stop 0");
    CHECK(play.count(ended("watcher", "boss", "stopped")) == 1);
  });
}

TEST_CASE("33 a kept child is restarted with the same cause, and so on downwards") {
  under_seeds([](Play& play) {
    int restarts = 0;
    Part part{.pre_restart = [&](Puppet&, Context&, const Failure& reason) {
      ++restarts;
      CHECK(reason.is<Restarting>());
      CHECK(reason.what() == "the cause");
    }};
    const Ref boss = play.spawn("boss", part);
    const Ref child = play.spawn_under(boss, "child", part);
    const Ref grandchild = play.spawn_under(child, "grandchild", part);
    play.fail<Restarting>(boss, "the cause");
    CHECK(restarts == 3);
    CHECK(play.came_in_order({"boss post_restart 1", "child pre_restart 0", "child post_restart 1",
                              "grandchild pre_restart 0", "grandchild post_restart 1"}));
    for (const Ref each : {boss, child, grandchild}) CHECK(play.answers(each));
  });
}

TEST_CASE("34 a new incarnation re-creates children by the names that preRestart freed") {
  under_seeds([](Play& play) {
    const auto spawns = [](Puppet& puppet, Context& ctx) {
      ctx.spawn<Puppet>("named", &puppet.play(), Part{});
    };
    const Ref by_constructor = play.spawn("by-constructor", {.construct = spawns});
    const Ref by_hook = play.spawn("by-hook", {.pre_start = spawns});
    const Ref old_child = play.find("/user/by-hook/named");
    play.fail<Restarting>(by_constructor);
    play.fail<Restarting>(by_hook);
    CHECK(play.answers(by_constructor));
    CHECK(play.answers(by_hook));
    CHECK(play.answers(play.find("/user/by-constructor/named")));
    CHECK(play.answers(play.find("/user/by-hook/named")));
    CHECK(play.find("/user/by-hook/named") != old_child);
    CHECK(play.count("named new 3") == 1);
  });
}

TEST_CASE("35 a restart returns to the initial behaviour") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context& ctx) {
      ctx.become_on_top<Puppet::Busy>();
      ctx.become_on_top<Puppet::Busy>();
    });
    play.fail<Restarting>(child);
    play.note(child, 1);
    play.world.run();
    CHECK(play.count("child got 1") == 1);
    play.perform(child, [](Puppet&, Context& ctx) { ctx.unbecome(); });
    play.note(child, 2);
    play.world.run();
    CHECK(play.count("child got 2") == 1);
  });
}

TEST_CASE("36 a restart keeps reference and path, and watchers hear nothing") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, child);
    for (int i = 0; i < 3; ++i) play.fail<Restarting>(child);
    CHECK(play.find("/user/child") == child);
    CHECK(play.world.path(child.value) == "/user/child");
    CHECK(play.life_of("watcher") == "new 0, pre_start 0");
  });
}

TEST_CASE("37 what is sent during the restart is kept in order for the new incarnation") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    play.spawn_under(boss, "slow");
    play.queue_failure<Restarting>(boss);
    REQUIRE(play.step_until(is_at(play, boss, actor::Stage::recreating)));
    for (int i = 1; i <= 5; ++i) play.note(boss, i);
    play.world.run();
    CHECK(play.life_of("boss") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1, "
          "got 1, got 2, got 3, got 4, got 5");
  });
}

TEST_CASE("38 what was queued before the restart is delivered after it") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.note(child, 1);
    play.queue_failure<Restarting>(child);
    play.note(child, 2);
    play.queue_failure<Restarting>(child);
    play.note(child, 3);
    play.world.run();
    CHECK(play.came_in_order(
        {"child got 1", "child new 1", "child got 2", "child new 2", "child got 3"}));
    CHECK(play.count("child got 2") == 1);
    CHECK(play.count("child got 3") == 1);
  });
}

TEST_CASE("39 the middle of three fails: it and the last restart once each, the top not") {
  under_seeds([](Play& play) {
    const Ref top = play.spawn("top", {.keeps_children = true});
    const Ref middle = play.spawn_under(top, "middle", {.keeps_children = true});
    const Ref last = play.spawn_under(middle, "last", {.keeps_children = true});
    play.fail<Restarting>(middle);
    CHECK(play.world.incarnation(top.value) == 0);
    CHECK(play.world.incarnation(middle.value) == 1);
    CHECK(play.world.incarnation(last.value) == 1);
    for (const Ref each : {top, middle, last}) CHECK(play.answers(each));
  });
}

TEST_CASE("40 a restart that reaches one who is already stopping never revives it") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<All>("boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref leaving = play.spawn_under(boss, "leaving");
    play.spawn_under(leaving, "slow");
    const Ref watcher = play.spawn("watcher");
    play.watch(watcher, leaving);
    play.queue_failure<Restarting>(child);
    play.queue(leaving, [](Puppet&, Context& ctx) { ctx.stop_self(); });
    play.world.run();
    CHECK_FALSE(play.is_alive(leaving));
    CHECK(play.count(ended("watcher", "leaving", "stopped")) == 1);
    CHECK(play.world.incarnation(child.value) == 1);
    CHECK(play.answers(child));
    CHECK(play.answers(boss));
  });
}

TEST_CASE("40 a restart told to one who waits for its children is a balanced resume") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn<All>("boss");
    const Ref child = play.spawn_under(boss, "child");
    const Ref leaving = play.spawn_under(boss, "leaving");
    play.spawn_under(leaving, "slow");
    play.order(leaving, actor::Order::terminate);
    REQUIRE(play.step_until(is_at(play, leaving, actor::Stage::terminating)));
    play.queue_failure<Restarting>(child);
    play.world.run();
    CHECK(play.life_of("leaving") == "new 0, pre_start 0, post_stop 0");
    CHECK(play.answers(child));
  });
}

// A cause is everybody's: an answer made of it takes a copy of its message.
TEST_CASE("25 the message that a cause carries reaches postRestart, whoever was answered with it") {
  under_seeds([](Play& play) {
    const auto read = [](Puppet& puppet, const Failure& reason) {
      const auto* const letter = reason.payload_as<Letter>();
      puppet.record(letter != nullptr ? letter->text : "nothing");
    };
    const Ref child =
        play.spawn("child", {.pre_restart =
                                 [=](Puppet& puppet, Context& ctx, const Failure& reason) {
                                   ctx.reply_failure(reason);
                                   read(puppet, reason);
                                 },
                             .post_restart = [=](Puppet& puppet, Context&,
                                                 const Failure& reason) { read(puppet, reason); },
                             .question =
                                 [](Puppet&, Context& ctx, const Question&) {
                                   ctx.fail_with<Restarting>(
                                       "boom", Letter{"a text too long to lie in the string"});
                                 }});
    const Ref asker = play.spawn("asker");
    play.perform(asker,
                 [=](Puppet&, Context& ctx) { ctx.ask<&Puppet::asked>(child, Question{1}, 1s); });
    CHECK(play.count("child a text too long to lie in the string") == 2);
    CHECK(play.count("asker refused actord::conformance::Restarting: boom") == 1);
  });
}

}  // namespace actord::conformance
