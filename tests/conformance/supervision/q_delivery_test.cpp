// SPDX-License-Identifier: Apache-2.0
//
// Mailbox, dispatch, order and ask: item 180.
#include "seeded_test.hpp"

namespace actord::conformance {

TEST_CASE("180a from one sender to one receiver messages arrive in the order they were sent") {
  under_seeds([](SeededTest& test) {
    const Ref receiver = test.spawn("receiver");
    std::vector<Ref> senders;
    for (int s = 0; s < 3; ++s) senders.push_back(test.spawn("sender-" + std::to_string(s)));
    for (int s = 0; s < 3; ++s) {
      for (int script = 0; script < 4; ++script) {
        test.queue(senders[s], [=](ScriptedActor&, Context& ctx) {
          for (int i = 0; i < 5; ++i) ctx.tell(receiver, Note{100 * s + 5 * script + i});
        });
      }
    }
    test.world.run();
    for (int s = 0; s < 3; ++s) {
      for (int i = 0; i + 1 < 20; ++i) {
        const std::string one = "receiver got " + std::to_string(100 * s + i);
        const std::string next = "receiver got " + std::to_string(100 * s + i + 1);
        CHECK(test.came_in_order({one, next}));
        CHECK(test.count(one) == 1);
      }
    }
  });
}

TEST_CASE("180b an actor handles one message at a time and sees what the one before left") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    bool is_inside = false;
    for (int i = 0; i < 50; ++i) {
      test.queue(child, [&, i](ScriptedActor& actor, Context& ctx) {
        CHECK_FALSE(is_inside);
        is_inside = true;
        CHECK(actor.value == i);
        actor.value = i + 1;
        ctx.tell(ctx.self(), Note{i});
        is_inside = false;
      });
    }
    test.world.run();
    CHECK(test.value(child) == 50);
    CHECK(test.count("child got 49") == 1);
  });
}

TEST_CASE("180c a suspended actor handles no user message and every order") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    const Ref watcher = test.spawn("watcher");
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.note(child, 1);
    test.watch(watcher, child);
    CHECK(test.count("child got 1") == 0);
    test.stop(child);
    CHECK(test.count(ended("watcher", "child", "stopped")) == 1);
    CHECK(test.count("child got 1") == 0);
    CHECK(test.world.events("deadletter").size() == 1);
  });
}

TEST_CASE("180d orders go before user messages") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    for (int i = 0; i < 3; ++i) test.note(child, i);
    test.send_system(child, actor::SystemMessage::terminate());
    test.world.run();
    CHECK(test.life_of("child") == "new 0, pre_start 0, post_stop 0");
    const Ref other = test.spawn("other");
    test.queue(other, [&test](ScriptedActor&, Context& ctx) {
      test.send_system(ctx.self(), actor::SystemMessage::suspend());
    });
    test.note(other, 1);
    test.world.run();
    CHECK(test.count("other got 1") == 0);
    test.world.send_system(other.value, actor::SystemMessage::resume());
    CHECK(test.count("other got 1") == 1);
  });
}

TEST_CASE("180e the report of a failure and an earlier message of the child come in either order") {
  bool was_message_first = false, was_report_first = false;
  under_seeds([&](SeededTest& test) {
    for (int i = 0; i < 5; ++i) {
      const std::string name = "boss-" + std::to_string(i);
      const Ref boss =
          test.spawn(name, {.decide = [](ScriptedActor& actor, Context&, const Failure&) {
                       actor.record("judges");
                       return Directive::resume;
                     }});
      const Ref child = test.spawn_under(boss, "child");
      test.queue(child, [=](ScriptedActor&, Context& ctx) { ctx.tell(boss, Note{1}); });
      test.queue_failure<Resuming>(child);
      test.world.run();
      const std::string life = test.life_of(name);
      const bool is_message_first = life == "new 0, pre_start 0, got 1, judges";
      const bool is_report_first = life == "new 0, pre_start 0, judges, got 1";
      CHECK(is_message_first != is_report_first);
      was_message_first = was_message_first || is_message_first;
      was_report_first = was_report_first || is_report_first;
    }
  });
  CHECK(was_message_first);
  CHECK(was_report_first);
}

TEST_CASE("180f after a batch of messages an actor yields") {
  SeededTest::Setup setup;
  setup.options.slice_max = 4;
  setup.options.workers = 1;
  under_seeds(
      [](SeededTest& test) {
        int handled = 0;
        const Ref one = test.spawn("one"), two = test.spawn("two");
        for (int i = 0; i < 40; ++i) {
          for (const Ref child : {one, two})
            test.queue(child, [&](ScriptedActor&, Context&) { ++handled; });
        }
        for (int before = 0; test.world.step(); before = handled) CHECK(handled - before <= 4);
        CHECK(handled == 80);
      },
      setup);
}

TEST_CASE("180h a stopping actor with queued messages does not spin") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.spawn_under(boss, "slow");
    test.send_system(boss, actor::SystemMessage::terminate());
    REQUIRE(
        test.step_until([&] { return test.cell(boss).life.stage() == actor::Stage::terminating; }));
    for (int i = 0; i < 100; ++i) test.note(boss, i);
    CHECK(test.world.run() < 1'000);
    CHECK_FALSE(test.is_alive(boss));
    CHECK(test.life_of("boss") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE("180i a watch that arrives after the end is answered") {
  under_seeds([](SeededTest& test) {
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.queue(watcher, [target](ScriptedActor&, Context& ctx) { ctx.watch(target); });
    test.send_system(target, actor::SystemMessage::terminate());
    test.world.run();
    const std::string life = test.life_of("watcher");
    CHECK(life.starts_with("new 0, pre_start 0, terminated target "));
    CHECK(life.find("terminated") == life.rfind("terminated"));
  });
}

namespace {

void ask(SeededTest& test, Ref asker, Ref whom) {
  test.perform(asker, [whom](ScriptedActor&, Context& ctx) {
    ctx.ask<&ScriptedActor::asked>(whom, Question{7}, 1s);
  });
}

}  // namespace

TEST_CASE("180j an ask is answered once, and its timeout is over then") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    ask(test, asker, test.spawn("target"));
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 7");
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("180j an ask of the dead fails at once and is a dead letter") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target");
    test.stop(target);
    ask(test, asker, target);
    CHECK(test.life_of("asker").starts_with(
        "new 0, pre_start 0, refused actord::NoRecipient: play.Question/1 did not reach "
        "/user/target"));
    CHECK(test.world.events("deadletter").size() == 1);
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE(
    "180j an unanswered ask fails in time, naming target and type, and a late reply is dead") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target");
    test.world.send_system(target.value, actor::SystemMessage::suspend());
    ask(test, asker, target);
    test.world.advance(999ms);
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
    test.world.advance(1ms);
    CHECK(test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::AskTimeout: play.Question/1 to /user/target was "
          "not answered within 1 s");
    test.world.send_system(target.value, actor::SystemMessage::resume());
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Answer/1");
    CHECK(letters[0].sender == target);
    CHECK(letters[0].recipient == asker);
    CHECK(letters[0].reason == "timeout");
  });
}

TEST_CASE("180j an ask answered with a failure fails with it") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target =
        test.spawn("target", {.question = [](ScriptedActor&, Context& ctx, const Question&) {
                     ctx.reply_failure<Stopping>("not for you");
                   }});
    ask(test, asker, target);
    CHECK(test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::conformance::Stopping: not for you");
    CHECK(test.answers(target));
  });
}

TEST_CASE("180j what was asked by an earlier incarnation is not answered to the next") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target");
    test.world.send_system(target.value, actor::SystemMessage::suspend());
    ask(test, asker, target);
    test.fail<Restarting>(asker);
    test.world.send_system(target.value, actor::SystemMessage::resume());
    test.world.advance(10s);
    CHECK(test.life_of("asker").find("reply") == std::string::npos);
    CHECK(test.life_of("asker").find("refused") == std::string::npos);
  });
}

namespace {

struct Unlisted {};
ACTORD_MESSAGE(Unlisted, "play.Unlisted/1")

class Faulty : public Actor {
 public:
  void handle(const Unlisted&) {}
  using Receive = Handlers<&Faulty::handle>;
};

}  // namespace

TEST_CASE("180r a message type that no plugin lists stops who uses it, at the first failure") {
  for (const bool is_spawned : {true, false}) {
    under_seeds([is_spawned](SeededTest& test) {
      const Ref top = test.spawn("top");
      const Ref boss = test.spawn_under(top, "boss");
      test.perform(boss, [is_spawned](ScriptedActor&, Context& ctx) {
        if (is_spawned) ctx.spawn<Faulty>("faulty");
        else ctx.tell(ctx.self(), Unlisted{});
      });
      CHECK_FALSE(test.is_alive(boss));
      const auto failed = test.world.events("actor.failed");
      REQUIRE(failed.size() == 1);
      CHECK(failed[0].field("failure.type") == "actord::UnlistedMessage");
      CHECK(failed[0].field("failure.message").find("play.Unlisted/1") != std::string::npos);
      CHECK(failed[0].field("decision.directive") == "stop");
    });
  }
}

}  // namespace actord::conformance
