// SPDX-License-Identifier: Apache-2.0
//
// Mailbox, dispatch, order and ask: item 180.
#include "play.hpp"

namespace actord::conformance {

TEST_CASE("180a from one sender to one receiver messages arrive in the order they were sent") {
  under_seeds([](Play& play) {
    const Ref receiver = play.spawn("receiver");
    std::vector<Ref> senders;
    for (int s = 0; s < 3; ++s) senders.push_back(play.spawn("sender-" + std::to_string(s)));
    for (int s = 0; s < 3; ++s) {
      for (int part = 0; part < 4; ++part) {
        play.queue(senders[s], [=](Puppet&, Context& ctx) {
          for (int i = 0; i < 5; ++i) ctx.tell(receiver, Note{100 * s + 5 * part + i});
        });
      }
    }
    play.world.run();
    for (int s = 0; s < 3; ++s) {
      for (int i = 0; i + 1 < 20; ++i) {
        const std::string one = "receiver got " + std::to_string(100 * s + i);
        const std::string next = "receiver got " + std::to_string(100 * s + i + 1);
        CHECK(play.came_in_order({one, next}));
        CHECK(play.count(one) == 1);
      }
    }
  });
}

TEST_CASE("180b an actor handles one message at a time and sees what the one before left") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    bool is_inside = false;
    for (int i = 0; i < 50; ++i) {
      play.queue(child, [&, i](Puppet& puppet, Context& ctx) {
        CHECK_FALSE(is_inside);
        is_inside = true;
        CHECK(puppet.value == i);
        puppet.value = i + 1;
        ctx.tell(ctx.self(), Note{i});
        is_inside = false;
      });
    }
    play.world.run();
    CHECK(play.value(child) == 50);
    CHECK(play.count("child got 49") == 1);
  });
}

TEST_CASE("180c a suspended actor handles no user message and every order") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    const Ref watcher = play.spawn("watcher");
    play.world.order(child.value, actor::Order::suspend);
    play.note(child, 1);
    play.watch(watcher, child);
    CHECK(play.count("child got 1") == 0);
    play.stop(child);
    CHECK(play.count(ended("watcher", "child", "stopped")) == 1);
    CHECK(play.count("child got 1") == 0);
    CHECK(play.world.events("deadletter").size() == 1);
  });
}

TEST_CASE("180d orders go before user messages") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    for (int i = 0; i < 3; ++i) play.note(child, i);
    play.order(child, actor::Order::terminate);
    play.world.run();
    CHECK(play.life_of("child") == "new 0, pre_start 0, post_stop 0");
    const Ref other = play.spawn("other");
    play.queue(other,
               [&play](Puppet&, Context& ctx) { play.order(ctx.self(), actor::Order::suspend); });
    play.note(other, 1);
    play.world.run();
    CHECK(play.count("other got 1") == 0);
    play.world.order(other.value, actor::Order::resume);
    CHECK(play.count("other got 1") == 1);
  });
}

TEST_CASE("180e the report of a failure and an earlier message of the child come in either order") {
  bool was_message_first = false, was_report_first = false;
  under_seeds([&](Play& play) {
    for (int i = 0; i < 5; ++i) {
      const std::string name = "boss-" + std::to_string(i);
      const Ref boss = play.spawn(name, {.decide = [](Puppet& puppet, Context&, const Failure&) {
                                    puppet.record("judges");
                                    return Directive::resume;
                                  }});
      const Ref child = play.spawn_under(boss, "child");
      play.queue(child, [=](Puppet&, Context& ctx) { ctx.tell(boss, Note{1}); });
      play.queue_failure<Resuming>(child);
      play.world.run();
      const std::string life = play.life_of(name);
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
  Play::Setup setup;
  setup.options.slice_max = 4;
  setup.options.workers = 1;
  under_seeds(
      [](Play& play) {
        int handled = 0;
        const Ref one = play.spawn("one"), two = play.spawn("two");
        for (int i = 0; i < 40; ++i) {
          for (const Ref child : {one, two})
            play.queue(child, [&](Puppet&, Context&) { ++handled; });
        }
        for (int before = 0; play.world.step(); before = handled) CHECK(handled - before <= 4);
        CHECK(handled == 80);
      },
      setup);
}

TEST_CASE("180h a stopping actor with queued messages does not spin") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    play.spawn_under(boss, "slow");
    play.order(boss, actor::Order::terminate);
    REQUIRE(
        play.step_until([&] { return play.cell(boss).life.stage() == actor::Stage::terminating; }));
    for (int i = 0; i < 100; ++i) play.note(boss, i);
    CHECK(play.world.run() < 1'000);
    CHECK_FALSE(play.is_alive(boss));
    CHECK(play.life_of("boss") == "new 0, pre_start 0, post_stop 0");
  });
}

TEST_CASE("180i a watch that arrives after the end is answered") {
  under_seeds([](Play& play) {
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.queue(watcher, [target](Puppet&, Context& ctx) { ctx.watch(target); });
    play.order(target, actor::Order::terminate);
    play.world.run();
    const std::string life = play.life_of("watcher");
    CHECK(life.starts_with("new 0, pre_start 0, terminated target "));
    CHECK(life.find("terminated") == life.rfind("terminated"));
  });
}

namespace {

void ask(Play& play, Ref asker, Ref whom) {
  play.perform(asker,
               [whom](Puppet&, Context& ctx) { ctx.ask<&Puppet::asked>(whom, Question{7}, 1s); });
}

}  // namespace

TEST_CASE("180j an ask is answered once, and its timeout is over then") {
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    ask(play, asker, play.spawn("target"));
    CHECK(play.life_of("asker") == "new 0, pre_start 0, reply 7");
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("180j an ask of the dead fails at once and is a dead letter") {
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    const Ref target = play.spawn("target");
    play.stop(target);
    ask(play, asker, target);
    CHECK(play.life_of("asker").starts_with(
        "new 0, pre_start 0, refused actord::NoRecipient: play.Question/1 did not reach "
        "/user/target"));
    CHECK(play.world.events("deadletter").size() == 1);
    CHECK(play.world.simulator().timers().size() == 0);
  });
}

TEST_CASE(
    "180j an unanswered ask fails in time, naming target and type, and a late reply is dead") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref asker = play.spawn("asker");
    const Ref target = play.spawn("target");
    play.world.order(target.value, actor::Order::suspend);
    ask(play, asker, target);
    play.world.advance(999ms);
    CHECK(play.life_of("asker") == "new 0, pre_start 0");
    play.world.advance(1ms);
    CHECK(play.life_of("asker") ==
          "new 0, pre_start 0, refused actord::AskTimeout: play.Question/1 to /user/target was "
          "not answered in time");
    play.world.order(target.value, actor::Order::resume);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Answer/1");
    CHECK(letters[0].sender == target);
    CHECK(letters[0].recipient == asker);
    CHECK(letters[0].reason == "timeout");
  });
}

TEST_CASE("180j an ask answered with a failure fails with it") {
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    const Ref target =
        play.spawn("target", {.question = [](Puppet&, Context& ctx, const Question&) {
                     ctx.reply_failure<Stopping>("not for you");
                   }});
    ask(play, asker, target);
    CHECK(play.life_of("asker") ==
          "new 0, pre_start 0, refused actord::conformance::Stopping: not for you");
    CHECK(play.answers(target));
  });
}

TEST_CASE("180j what was asked by an earlier incarnation is not answered to the next") {
  under_seeds([](Play& play) {
    const Ref asker = play.spawn("asker");
    const Ref target = play.spawn("target");
    play.world.order(target.value, actor::Order::suspend);
    ask(play, asker, target);
    play.fail<Restarting>(asker);
    play.world.order(target.value, actor::Order::resume);
    play.world.advance(10s);
    CHECK(play.life_of("asker").find("reply") == std::string::npos);
    CHECK(play.life_of("asker").find("refused") == std::string::npos);
  });
}

}  // namespace actord::conformance
