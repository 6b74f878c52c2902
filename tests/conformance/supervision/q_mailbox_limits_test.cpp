// SPDX-License-Identifier: Apache-2.0
//
// What becomes of messages for which a bounded mailbox has no room: item 180y. Most cases suspend
// the receiver, so that its mailbox fills.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using actor::Overflow;

SeededTest::Setup with_small(actor::ActorOptions options) {
  SeededTest::Setup setup;
  setup.before_start = [options](SeededTest& test) {
    test.deployments = {{"/user/small", options}};
  };
  return setup;
}

SeededTest::Setup with_overflow(Overflow overflow, std::int64_t capacity) {
  return with_small({.mailbox_capacity = capacity, .overflow = overflow});
}

// Lets `sender` send the receiver that many notes, numbered from 1, in one handler.
void send_notes(SeededTest& test, Ref sender, Ref to, int n) {
  test.perform(sender, [to, n](ScriptedActor&, Context& ctx) {
    for (int i = 1; i <= n; ++i) ctx.tell(to, Note{i});
  });
}

Strategy resume_if_full() {
  return one_for_one().on<MailboxFull>(Directive::resume).otherwise(Directive::stop);
}
Strategy restart_if_no_recipient() {
  return one_for_one().on<NoRecipient>(Directive::restart).otherwise(Directive::stop);
}

bool is_waiting(SeededTest& test, Ref whom) { return test.cell(whom).life.is_waiting_for_room(); }

}  // namespace

// ---- drop-old -----------------------------------------------------------------------------------

TEST_CASE("180y drop-old: the newest messages are handled, and the oldest are dead letters") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small"), sender = test.spawn("sender");
        for (int round = 1; round <= 3; ++round) {
          test.suspend(small);
          send_notes(test, sender, small, 5);
          CHECK(letters.size() == static_cast<std::size_t>(2 * (round - 1)));
          test.resume(small);
          REQUIRE(letters.size() == static_cast<std::size_t>(2 * round));
          CHECK(letters.back().reason == "mailbox-full");
          CHECK(letters.back().recipient == small);
          CHECK(letters.back().sender == sender);
          CHECK(test.count("small got 1") == 0);
          CHECK(test.count("small got 2") == 0);
          CHECK(test.count("small got 3") == round);
          CHECK(test.count("small got 5") == round);
        }
        CHECK(test.cell(small).capacity_left.load() == 3);
      },
      with_overflow(Overflow::drop_old, 3));
}

TEST_CASE("180y drop-old: the mailbox never takes more than twice its capacity") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small"), sender = test.spawn("sender");
        test.suspend(small);
        send_notes(test, sender, small, 100);
        CHECK(letters.size() == 94);
        CHECK(test.cell(small).capacity_left.load() == -3);
        test.resume(small);
        CHECK(letters.size() == 97);
        CHECK(test.life_of("small") == "new 0, pre_start 0, got 4, got 5, got 6");
        CHECK(test.cell(small).capacity_left.load() == 3);
      },
      with_overflow(Overflow::drop_old, 3));
}

TEST_CASE("180y drop-old: a Terminated, a tick and an answer are not dropped") {
  under_seeds(
      [](SeededTest& test) {
        const Ref target = test.spawn("target"), other = test.spawn("other");
        const Ref small = test.spawn("small");
        test.watch(small, target);
        test.perform(small, [other](ScriptedActor&, Context& ctx) {
          ctx.start_timer("tick", 1ms, Note{100});
          ctx.ask<&ScriptedActor::asked>(other, Question{7}, 1s);
        });
        test.suspend(small);
        test.stop(target);
        test.world.advance(2ms);
        for (int i = 1; i <= 7; ++i) test.note(small, i);
        test.world.run();
        test.resume(small);
        CHECK(test.count(ended("small", "target", "stopped")) == 1);
        CHECK(test.count("small got 100") == 1);
        CHECK(test.count("small reply 7") == 1);
        CHECK(test.count("small got 2") == 0);
        for (int i = 3; i <= 7; ++i) CHECK(test.count("small got " + std::to_string(i)) == 1);
        CHECK(test.cell(small).capacity_left.load() == 5);
      },
      with_overflow(Overflow::drop_old, 5));
}

TEST_CASE("180y drop-old: an ask that is dropped fails with MailboxFull") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), asker = test.spawn("asker");
        test.suspend(small);
        test.perform(asker, [small](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(small, Question{1}, 1s);
        });
        send_notes(test, asker, small, 2);
        test.resume(small);
        CHECK(test.life_of("asker").find("refused actord::MailboxFull") != std::string::npos);
        CHECK(test.count("small got 2") == 1);
      },
      with_overflow(Overflow::drop_old, 2));
}

TEST_CASE("180y drop-old: what waits at a restart and in the stash counts as before") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small");
        test.perform(small,
                     [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
        for (int i = 1; i <= 3; ++i) test.note(small, i);  // stashed one by one
        test.world.run();
        test.queue_failure<Restarting>(small);
        for (int i = 4; i <= 5; ++i) test.note(small, i);
        test.world.run();
        CHECK(test.answers(small));
        CHECK(test.count("small got 5") == 1);
        CHECK(test.cell(small).capacity_left.load() == 3);
      },
      with_overflow(Overflow::drop_old, 3));
}

TEST_CASE("180y drop-old: what comes back from the stash is not dropped, however much it is") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small");
        test.perform(small,
                     [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
        for (int i = 1; i <= 5; ++i) {
          test.note(small, i);
          test.world.run();  // stashed
        }
        test.perform(small, [](ScriptedActor&, Context& ctx) {
          ctx.become<ScriptedActor::Receive>();
          ctx.unstash_all();
        });
        CHECK(letters.empty());
        CHECK(test.life_of("small") == "new 0, pre_start 0, got 1, got 2, got 3, got 4, got 5");
        CHECK(test.cell(small).capacity_left.load() == 2);
      },
      with_overflow(Overflow::drop_old, 2));
}

// ---- fail-sender --------------------------------------------------------------------------------

TEST_CASE("180y fail-sender: the handler that has sent the message fails when it returns") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small");
        const Ref boss = test.spawn<Boss<&restart_if_no_recipient>>("boss");
        const Ref sender = test.spawn_under(boss, "sender");
        test.suspend(small);
        bool went_on = false;
        test.perform(sender, [&, small](ScriptedActor&, Context& ctx) {
          for (int i = 1; i <= 3; ++i) ctx.tell(small, Note{i});
          went_on = true;
        });
        CHECK(went_on);
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("failure.type") == "actord::MailboxFull");
        CHECK(
            failed[0].field("failure.message") ==
            "the mailbox of /user/small is full: it takes 2 messages, and play.Note/1 came on top");
        CHECK(failed[0].field("actor.path") == "/user/boss/sender");
        CHECK(test.world.incarnation(sender.value) == 1);
        REQUIRE(letters.size() == 1);
        CHECK(letters[0].reason == "mailbox-full");
        test.resume(small);
        CHECK(test.count("small got 2") == 1);
        CHECK(test.count("small got 3") == 0);
        send_notes(test, sender, small, 1);  // there is room again
        CHECK(test.world.incarnation(sender.value) == 1);
      },
      with_overflow(Overflow::fail_sender, 2));
}

TEST_CASE("180y fail-sender: of a handler that sends many, each message is taken or refused") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small");
        const Ref boss = test.spawn<Boss<&resume_if_full>>("boss");
        const Ref sender = test.spawn_under(boss, "sender");
        test.suspend(small);
        send_notes(test, sender, small, 60);
        CHECK(letters.size() == 20);
        CHECK(test.world.events("actor.failed").size() == 1);
        CHECK(test.answers(sender));
        test.resume(small);
        CHECK(test.count("small got 40") == 1);
      },
      with_overflow(Overflow::fail_sender, 40));
}

TEST_CASE("180y fail-sender: a hook that sends the message fails, too") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), boss = test.spawn<Judge>("boss");
        test.suspend(small);
        const auto flood = [small](ScriptedActor&, Context& ctx) {
          for (int i = 1; i <= 2; ++i) ctx.tell(small, Note{i});
        };
        const Ref child = test.spawn_under(boss, "child", {.pre_start = flood});
        CHECK_FALSE(test.is_alive(child));
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
        test.resume(small);
      },
      with_overflow(Overflow::fail_sender, 1));
}

TEST_CASE("180y fail-sender: an ask fails at once, and the handler does not") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), asker = test.spawn("asker");
        test.suspend(small);
        test.note(small, 1);
        test.perform(asker, [small](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(small, Question{1}, 1s);
        });
        CHECK(test.life_of("asker").find(
                  "refused actord::MailboxFull: play.Question/1 did not reach /user/small") !=
              std::string::npos);
        CHECK(test.world.events("actor.failed").empty());
        test.resume(small);
      },
      with_overflow(Overflow::fail_sender, 1));
}

TEST_CASE("180y fail-sender: who passes on, publishes or sends from outside does not fail") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small");
        const Ref sender =
            test.spawn("sender", {.question = [small](ScriptedActor&, Context& ctx,
                                                      const Question&) { ctx.forward(small); }});
        test.perform(small, [](ScriptedActor&, Context& ctx) { ctx.subscribe<Letter>(); });
        test.suspend(small);
        test.note(small, 1);
        test.world.send(sender.value, Question{1});
        test.perform(sender, [](ScriptedActor&, Context& ctx) { ctx.publish(Letter{"news"}); });
        Note note{2};
        CHECK(test.world.system().refuses(small.value));
        CHECK_FALSE(
            test.world.system().try_tell(small.value, detail::listed_type_id<Note>(), &note));
        CHECK(letters.size() == 2);
        test.note(small, 3);
        test.world.run();
        CHECK(letters.size() == 3);
        CHECK(test.world.events("actor.failed").empty());
        test.resume(small);
        CHECK_FALSE(test.world.system().refuses(small.value));
        CHECK(test.world.system().try_tell(small.value, detail::listed_type_id<Note>(), &note));
        test.world.run();
        CHECK(test.count("small got 2") == 1);
      },
      with_overflow(Overflow::fail_sender, 1));
}

// ---- wait ---------------------------------------------------------------------------------------

TEST_CASE("180y wait: the sender handles no message until half of the mailbox is free") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small"), sender = test.spawn("sender");
        test.suspend(small);
        send_notes(test, sender, small, 4);
        CHECK_FALSE(is_waiting(test, sender));
        send_notes(test, sender, small, 2);
        CHECK(is_waiting(test, sender));
        test.note(sender, 7);
        test.world.run();
        CHECK(test.count("sender got 7") == 0);
        test.resume(small);
        CHECK(test.came_in_order({"small got 4", "sender got 7"}));
        CHECK_FALSE(is_waiting(test, sender));
        CHECK(test.count("small got 2") == 2);
        CHECK(letters.empty());
        CHECK(test.cell(small).capacity_left.load() == 4);
      },
      with_overflow(Overflow::wait, 4));
}

TEST_CASE("180y wait: it is over after push-timeout, and nothing is lost") {
  auto setup =
      with_small({.mailbox_capacity = 2, .overflow = Overflow::wait, .push_timeout_ns = 50 * ms});
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small"), sender = test.spawn("sender");
        test.suspend(small);
        send_notes(test, sender, small, 3);
        test.note(sender, 7);
        test.world.advance(49ms);
        CHECK(test.count("sender got 7") == 0);
        test.world.advance(1ms);
        CHECK(test.count("sender got 7") == 1);
        send_notes(test, sender, small, 1);  // still full
        CHECK(is_waiting(test, sender));
        send_notes(test, sender, small, 1);
        test.world.advance(50ms);
        CHECK(letters.size() == 1);  // twice the capacity
        CHECK(is_waiting(test, sender));
        test.resume(small);
        CHECK_FALSE(is_waiting(test, sender));
        CHECK(test.count("small got 3") == 1);
      },
      setup);
}

TEST_CASE("180y wait: one that waits takes orders, judges its children and can be stopped") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), sender = test.spawn<Judge>("sender");
        const Ref child = test.spawn_under(sender, "child");
        test.suspend(small);
        send_notes(test, sender, small, 2);
        REQUIRE(is_waiting(test, sender));
        test.fail<Restarting>(child);
        CHECK(test.world.incarnation(child.value) == 1);
        CHECK(test.answers(child));
        test.stop(child);
        CHECK_FALSE(test.is_alive(child));
        CHECK(is_waiting(test, sender));
        test.stop(sender);
        CHECK_FALSE(test.is_alive(sender));
        test.resume(small);
      },
      with_overflow(Overflow::wait, 1));
}

TEST_CASE("180y wait: a child that is spawned meanwhile handles messages") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), sender = test.spawn("sender");
        test.suspend(small);
        Ref child;
        test.perform(sender, [&, small](ScriptedActor& actor, Context& ctx) {
          for (int i = 1; i <= 2; ++i) ctx.tell(small, Note{i});
          child = ctx.spawn<ScriptedActor>("child", &actor.test(), Script{});
        });
        REQUIRE(is_waiting(test, sender));
        CHECK(test.answers(child));
        CHECK(test.cell(child).life.suspensions() == 0);
        test.resume(small);
        CHECK(test.answers(sender));
      },
      with_overflow(Overflow::wait, 1));
}

TEST_CASE("180y wait: a restart does not end it, and the new instance goes on when there is room") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small"), boss = test.spawn<Judge>("boss");
        const Ref sender = test.spawn_under(boss, "sender");
        test.suspend(small);
        test.perform(sender, [small](ScriptedActor&, Context& ctx) {
          for (int i = 1; i <= 2; ++i) ctx.tell(small, Note{i});
          throw Restarting("after sending");
        });
        CHECK(test.world.incarnation(sender.value) == 1);
        test.note(sender, 7);
        test.world.run();
        CHECK(test.count("sender got 7") == 0);
        test.resume(small);
        CHECK(test.count("sender got 7") == 1);
      },
      with_overflow(Overflow::wait, 1));
}

TEST_CASE("180y wait: the end of the receiver ends it, before or after it is asked for room") {
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small");
        const Ref one = test.spawn("one"), two = test.spawn("two");
        test.suspend(small);
        send_notes(test, one, small, 2);
        REQUIRE(is_waiting(test, one));
        test.queue(two, [small](ScriptedActor&, Context& ctx) { ctx.tell(small, Note{3}); });
        test.stop(small);
        test.world.run();
        CHECK(test.answers(one));
        CHECK(test.answers(two));
        CHECK(test.world.simulator().timers().size() == 0);
      },
      with_overflow(Overflow::wait, 1));
}

TEST_CASE(
    "180y wait: two that wait for each other go on after the timeout; none waits for itself") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {
        {"/user/*",
         {.mailbox_capacity = 2, .overflow = Overflow::wait, .push_timeout_ns = 20 * ms}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref one = test.spawn("one"), two = test.spawn("two");
        const auto flood = [&test](Ref from, Ref to) {
          test.queue(from, [to](ScriptedActor&, Context& ctx) {
            for (int i = 1; i <= 3; ++i) ctx.tell(to, Note{i});
            for (int i = 11; i <= 13; ++i) ctx.tell(ctx.self(), Note{i});
          });
        };
        test.suspend(one);
        test.suspend(two);
        flood(one, two);
        flood(two, one);
        test.world.run();
        test.resume(one);
        test.resume(two);
        test.world.advance(1s);
        CHECK(test.answers(one));
        CHECK(test.answers(two));
        CHECK(test.count("one got 3") + test.count("two got 3") >= 1);
        CHECK(test.world.simulator().timers().size() == 0);
      },
      setup);
}

TEST_CASE("180y wait: one that waits for several receivers goes on when all have room") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/small*", {.mailbox_capacity = 1, .overflow = Overflow::wait}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref one = test.spawn("small-1"), two = test.spawn("small-2");
        const Ref sender = test.spawn("sender");
        test.suspend(one);
        test.suspend(two);
        test.perform(sender, [=](ScriptedActor&, Context& ctx) {
          for (int i = 1; i <= 2; ++i) {
            ctx.tell(one, Note{i});
            ctx.tell(two, Note{i});
          }
        });
        REQUIRE(is_waiting(test, sender));
        test.resume(one);
        CHECK(is_waiting(test, sender));
        test.resume(two);
        CHECK_FALSE(is_waiting(test, sender));
      },
      setup);
}

// ---- all ----------------------------------------------------------------------------------------

TEST_CASE("180y a full mailbox is told of once in ten seconds, and an inspection shows it") {
  for (const Overflow overflow : {Overflow::drop_new, Overflow::drop_old, Overflow::fail_sender}) {
    under_seeds(
        [overflow](SeededTest& test) {
          const Ref small = test.spawn("small");
          test.suspend(small);
          for (int i = 1; i <= 4; ++i) test.note(small, i);
          test.world.run();
          auto lines = test.world.events("mailbox.overflow");
          REQUIRE(lines.size() == 1);
          CHECK(lines[0].field("actor.path") == "/user/small");
          CHECK(lines[0].field("mailbox.capacity") == "1");
          CHECK(lines[0].field("mailbox.policy") == actor::name_of(overflow));
          CHECK(lines[0].field("overflows") == "1");
          test.world.advance(10s);
          test.note(small, 5);
          test.world.run();
          lines = test.world.events("mailbox.overflow");
          REQUIRE(lines.size() == 2);
          CHECK(lines[1].field("overflows") == "3");
          const base::IntrusivePtr<actor::Inspection> inspection(
              new actor::Inspection([](actor::Inspection::Outcome) {}));
          test.world.system().inspect(small.value, inspection);
          test.world.run();
          CHECK(inspection->mailbox.capacity == 1);
          CHECK(inspection->mailbox.overflow == overflow);
          CHECK(inspection->mailbox.overflows == 4);
          test.resume(small);
        },
        with_overflow(overflow, 1));
  }
}

TEST_CASE("180y the limit of a former actor in the cell is not that of the next one") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        for (int round = 0; round < 200; ++round) {
          const Ref small = test.spawn("small");
          test.stop(small);
        }
        const Ref sender = test.spawn("sender"), other = test.spawn("other");
        test.suspend(other);
        send_notes(test, sender, other, 50);
        test.resume(other);
        CHECK(letters.empty());
        CHECK(test.count("other got 50") == 1);
        CHECK(test.world.events("mailbox.overflow").empty());
      },
      with_overflow(Overflow::drop_old, 1));
}

}  // namespace actord::conformance
