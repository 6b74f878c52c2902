// SPDX-License-Identifier: Apache-2.0
//
// Messages that are given again to an actor that has failed on them, and the quarantine for those
// on which it fails each time: item 185.
#include "isolation_support.hpp"

namespace actord::conformance {

namespace {

using system::QuarantinedMessagePtr;

/// All actors below /user are given a message so often.
SeededTest::Setup with_attempts(std::uint32_t attempts, SeededTest::Setup setup = {}) {
  setup.before_start = [attempts, before = std::move(setup.before_start)](SeededTest& test) {
    if (before) before(test);
    test.deployments.push_back({"/user/**", {.attempts_max = attempts}});
  };
  return setup;
}

struct Tries {
  int made = 0;
  int failing = 1'000'000;  // so many of them
};
/// Sends the actor a message on which it fails so often as `tries` says.
template <class E = Restarting>
void queue_trying(SeededTest& test, Ref whom, Tries& tries) {
  test.queue(whom, [&tries](ScriptedActor& actor, Context&) {
    actor.record("try " + std::to_string(++tries.made));
    if (tries.made <= tries.failing) throw E("no");
  });
}

/// Fails on each answer.
class Sulking : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void refused(Context&, const Reply<Answer>&) { throw Restarting("no"); }
};

std::vector<QuarantinedMessagePtr> quarantined(SeededTest& test) {
  return test.world.system().message_quarantine().all();
}

std::uint64_t redelivered(SeededTest& test) { return test.world.system().totals().redelivered; }

}  // namespace

// ---- 185a ---------------------------------------------------------------------------------------

TEST_CASE("185a after a restart the actor gets the message again, before all that waits") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries tries{.failing = 2};
        test.suspend(child);
        queue_trying(test, child, tries);
        for (int n = 1; n <= 3; ++n) test.note(child, n);
        test.resume(child);
        test.world.run();
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, try 1, pre_restart 0, post_stop 0, new 1, post_restart 1, "
              "pre_start 1, try 2, pre_restart 1, post_stop 1, new 2, post_restart 2, pre_start 2, "
              "try 3, got 1, got 2, got 3");
        CHECK(quarantined(test).empty());
        CHECK(redelivered(test) == 2);
      },
      with_attempts(3));
}

TEST_CASE("185a after a resume the same instance gets it again") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        const Ref child = test.spawn_under(boss, "child");
        Tries tries{.failing = 1};
        test.suspend(child);
        queue_trying<Resuming>(test, child, tries);
        test.note(child, 1);
        test.resume(child);
        test.world.run();
        CHECK(test.life_of("child") == "new 0, pre_start 0, try 1, try 2, got 1");
      },
      with_attempts(3));
}

TEST_CASE("185a it comes before what the restart takes out of the stash") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        test.perform(child,
                     [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
        test.note(child, 1);
        test.note(child, 2);
        Tries tries{.failing = 1};
        queue_trying(test, child, tries);
        test.note(child, 3);
        test.world.run();
        CHECK(test.came_in_order({"child try 1", "child new 1", "child try 2", "child got 1",
                                  "child got 2", "child got 3"}));
      },
      with_attempts(3));
}

TEST_CASE("185a in an ordered mailbox it comes before the others of its type") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {
        {"/user/child",
         {.mailbox_capacity = 100, .priority = {"play.Note/1", "*"}, .attempts_max = 3}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries first{.failing = 1}, second{.failing = 0};
        queue_trying(test, child, first);
        test.world.run();
        test.suspend(child);
        first = {.failing = 1};
        queue_trying(test, child, first);
        queue_trying(test, child, second);
        test.note(child, 1);
        test.resume(child);
        test.world.run();
        CHECK(test.life_of("child").ends_with(
            "got 1, try 1, pre_restart 1, post_stop 1, new 2, post_restart 2, pre_start 2, try 2, "
            "try 1"));
      },
      setup);
}

TEST_CASE("185a it has its sender, and the payload that it had") {
  under_seeds(
      [](SeededTest& test) {
        Ref seen;
        int n = 0, tries = 0;
        const Ref child = test.spawn(
            "child", {.question = [&](ScriptedActor&, Context& ctx, const Question& question) {
              if (++tries == 1) throw Restarting("no");
              seen = ctx.sender();
              n = question.n;
            }});
        const Ref sender = test.spawn("sender");
        test.world.tell(child.value, Question{7}, sender.value);
        test.world.run();
        CHECK(tries == 2);
        CHECK(seen == sender);
        CHECK(n == 7);
      },
      with_attempts(2));
}

TEST_CASE("185a it goes on with its trace, as a span that the one that failed has caused") {
  under_seeds(
      [](SeededTest& test) {
        int tries = 0;
        const Ref child =
            test.spawn("child", {.question = [&tries](ScriptedActor&, Context&, const Question&) {
                         if (++tries == 1) throw Restarting("no");
                       }});
        const Ref sender = test.spawn("sender");
        test.perform(sender, [child](ScriptedActor&, Context& ctx) {
          CHECK(ctx.continue_trace("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
          ctx.tell(child, Question{1});
        });
        std::vector<testkit::SeenEvent> spans;
        for (const auto& line : test.world.events("actor.span")) {
          if (line.field("actor.path") == "/user/child") spans.push_back(line);
        }
        REQUIRE(spans.size() == 2);
        CHECK(spans[0].field("span.outcome") == "failed");
        CHECK(spans[1].field("span.outcome") == "handled");
        CHECK(spans[1].field("span.parent_id") == spans[0].field("span.id"));
        CHECK(spans[1].field("trace.id") == spans[0].field("trace.id"));
      },
      with_attempts(3));
}

// ---- 185b ---------------------------------------------------------------------------------------

TEST_CASE("185b a message that is handled ends its count, and another one has its own") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries one{.failing = 1}, two{.failing = 1};
        queue_trying(test, child, one);
        queue_trying(test, child, two);
        test.world.run();
        CHECK(one.made == 2);
        CHECK(two.made == 2);
        CHECK(quarantined(test).empty());
        CHECK(test.answers(child));
      },
      with_attempts(2));
}

TEST_CASE("185b a message that is stashed between two failures is the same one") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        int tries = 0;
        test.queue(child, [&tries](ScriptedActor&, Context& ctx) {
          if (++tries == 2) return static_cast<void>(ctx.stash());
          throw Restarting("no");
        });
        test.world.run();
        CHECK(tries == 2);
        test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.unstash_all(); });
        CHECK(tries == 3);
        REQUIRE(quarantined(test).size() == 1);
        CHECK(quarantined(test)[0]->attempts == 2);
      },
      with_attempts(2));
}

TEST_CASE("185b a message that is stashed by the handler that fails counts, too") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        int tries = 0;
        test.queue(child, [&tries](ScriptedActor&, Context& ctx) {
          ++tries;
          ctx.stash();
          throw Restarting("no");
        });
        test.note(child, 1);
        test.world.run();
        CHECK(tries == 3);
        CHECK(quarantined(test).size() == 1);
        CHECK(test.count("child got 1") == 1);
      },
      with_attempts(3));
}

// ---- 185c ---------------------------------------------------------------------------------------

TEST_CASE("185c after so many failures the message is in the quarantine, and the actor goes on") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries tries;
        test.suspend(child);
        queue_trying(test, child, tries);
        test.note(child, 1);
        test.note(child, 2);
        test.resume(child);
        test.world.run();
        CHECK(tries.made == 3);
        CHECK(test.world.incarnation(child.value) == 3);
        CHECK(test.came_in_order({"child try 3", "child new 3", "child got 1", "child got 2"}));
        REQUIRE(quarantined(test).size() == 1);
        const system::QuarantinedMessage& message = *quarantined(test)[0];
        CHECK(message.path == "/user/child");
        CHECK(message.type == "play.Act/1");
        CHECK(message.attempts == 3);
        CHECK(message.incarnation == 2);
        CHECK(message.phase == "receive");
        REQUIRE(message.causes.size() == 1);
        CHECK(message.causes[0].type == "actord::conformance::Restarting");
        CHECK(message.causes[0].what == "no");
        const auto told = test.world.events("message.quarantined");
        REQUIRE(told.size() == 1);
        CHECK(told[0].field("quarantine.id") == message.id);
        CHECK(told[0].field("failure.id") == message.failure_id);
        CHECK(test.world.events("message.redelivered").size() == 2);
        CHECK(test.world.events("deadletter").empty());
      },
      with_attempts(3));
}

TEST_CASE("185c with one attempt it comes there after the first failure") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries tries;
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(tries.made == 1);
        CHECK(quarantined(test).size() == 1);
        CHECK(redelivered(test) == 0);
      },
      with_attempts(1));
}

// ---- 185d ---------------------------------------------------------------------------------------

TEST_CASE("185d the actor is stopped for the failure: the message is its first dead letter") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref boss = test.spawn<Judge>("boss");
        const Ref child = test.spawn_under(boss, "child");
        Tries tries;
        test.suspend(child);
        queue_trying<Stopping>(test, child, tries);
        test.note(child, 1);
        test.resume(child);
        test.world.run();
        CHECK_FALSE(test.is_alive(child));
        REQUIRE(letters.size() == 2);
        CHECK(letters[0].type == "play.Act/1");
        CHECK(letters[0].reason == "stopped");
        CHECK(letters[1].type == "play.Note/1");
        CHECK(quarantined(test).empty());
      },
      with_attempts(3));
}

TEST_CASE("185d the failure was the last that the message may cause: it is in the quarantine") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        const Ref child = test.spawn_under(boss, "child");
        Tries tries;
        queue_trying<Stopping>(test, child, tries);
        test.world.run();
        CHECK_FALSE(test.is_alive(child));
        CHECK(quarantined(test).size() == 1);
        CHECK(test.world.events("deadletter").empty());
      },
      with_attempts(1));
}

TEST_CASE("185d the restart limit ends the actor before the attempts are over") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref child = test.find("/user/child");
        Tries tries;
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(tries.made == 2);
        CHECK_FALSE(test.is_alive(child));
        CHECK(letters.size() == 1);
        CHECK(quarantined(test).empty());
      },
      with_attempts(5, [] {
        SeededTest::Setup setup = boot({{"child"}});
        setup.before_start = [before = setup.before_start](SeededTest& test) {
          before(test);
          test.user.options.strategy = restarting(1);
        };
        return setup;
      }()));
}

// ---- 185e, 185f ---------------------------------------------------------------------------------

TEST_CASE("185e an escalated failure: the message comes again if the actor goes on") {
  under_seeds(
      [](SeededTest& test) {
        const Ref top = test.spawn("top", deciding(Directive::resume));
        const Ref boss = test.spawn_under<Judge>(top, "boss");
        const Ref child = test.spawn_under(boss, "child");
        Tries tries{.failing = 1};
        queue_trying<Escalating>(test, child, tries);
        test.world.run();
        CHECK(test.life_of("child") == "new 0, pre_start 0, try 1, try 2");
      },
      with_attempts(3));
}

TEST_CASE(
    "185e an escalated failure: with the actor that is stopped the message is a dead letter") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref top = test.spawn("top", deciding(Directive::restart));
        const Ref boss = test.spawn_under<Judge>(top, "boss");
        const Ref child = test.spawn_under(boss, "child");
        Tries tries;
        queue_trying<Escalating>(test, child, tries);
        test.world.run();
        CHECK(tries.made == 1);
        CHECK_FALSE(test.is_alive(child));
        CHECK(letters.size() == 1);
      },
      with_attempts(3));
}

TEST_CASE("185f all for one: the sibling keeps its messages, and none of them counts") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = test.find("/user/boss/one"), two = test.find("/user/boss/two");
        Tries tries{.failing = 2};
        test.suspend(two);
        queue_trying(test, one, tries);
        test.note(two, 1);
        test.note(two, 2);
        test.world.run();
        test.resume(two);
        test.world.run();
        CHECK(tries.made == 3);
        CHECK(test.world.incarnation(two.value) == 2);
        CHECK(test.came_in_order({"two got 1", "two got 2"}));
        CHECK(test.count("two got 1") == 1);
        CHECK(redelivered(test) == 2);
        CHECK(quarantined(test).empty());
      },
      with_attempts(
          3, boot({{"boss", {{"one"}, {"two"}}, with(actor::Strategy::Kind::all_for_one)}})));
}

// ---- 185g ---------------------------------------------------------------------------------------

TEST_CASE("185g the answer after a failure reaches the one who has asked") {
  under_seeds(
      [](SeededTest& test) {
        int tries = 0;
        const Ref child = test.spawn(
            "child", {.question = [&tries](ScriptedActor&, Context& ctx, const Question& question) {
              if (++tries == 1) throw Restarting("no");
              ctx.reply(Answer{question.n + 1});
            }});
        const Ref asker = test.spawn("asker");
        test.perform(asker, [child](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(child, Question{7}, 10s);
        });
        CHECK(tries == 2);
        CHECK(test.life_of("asker").find("reply 8") != std::string::npos);
      },
      with_attempts(3));
}

TEST_CASE("185g the question comes into the quarantine: the ask fails at once, with the failure") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child =
            test.spawn("child", {.question = [](ScriptedActor&, Context&, const Question&) {
                         throw Restarting("no");
                       }});
        const Ref asker = test.spawn("asker");
        const std::int64_t before = test.world.system().now_ns();
        test.perform(asker, [child](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(child, Question{7}, 10s);
        });
        CHECK(test.life_of("asker").find("Restarting") != std::string::npos);
        CHECK(test.world.system().now_ns() - before < 10'000 * ms);
        REQUIRE(quarantined(test).size() == 1);
        CHECK(quarantined(test)[0]->sender_path == "/user/asker");
      },
      with_attempts(2));
}

// ---- 185h ---------------------------------------------------------------------------------------

TEST_CASE("185h a message that ends the process is given again, and then is in the quarantine") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        int tries = 0;
        test.queue(child, [&tries](ScriptedActor& actor, Context&) {
          ++tries;
          kill(actor.test());
        });
        test.note(child, 1);
        test.world.run();
        CHECK(tries == 3);
        CHECK(test.count("child got 1") == 1);
        CHECK(test.answers(child));
        REQUIRE(quarantined(test).size() == 1);
        CHECK(quarantined(test)[0]->causes[0].type == "actord::crash::SIGSEGV");
        CHECK(test.world.events("deadletter").empty());
        // Another message that equals it has its own attempts.
        test.world.send(child.value, Act{0});
        test.world.run();
        CHECK(tries == 6);
        CHECK(quarantined(test).size() == 2);
      },
      with_attempts(3, isolated({in_actord("boss", {in_process("child")}, restarts())})));
}

TEST_CASE("185h the end of the process by another actor is no attempt") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = test.find("/user/boss/one"), two = test.find("/user/boss/two");
        test.note(two, 1);
        test.world.run();
        for (int i = 0; i < 3; ++i) crash(test, one);
        test.note(two, 2);
        test.world.run();
        CHECK(test.count("two got 1") == 1);
        CHECK(test.count("two got 2") == 1);
        for (const QuarantinedMessagePtr& each : quarantined(test))
          CHECK(each->path == "/user/boss/one");
      },
      with_attempts(
          1, isolated({in_actord("boss", {in_process("one"), in_process("two")}, restarts())})));
}

TEST_CASE("185h a message that the process had not begun comes again, and that is no attempt") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        let_end_at(test, 1, Fate::dies_before);
        test.note(child, 1);
        test.note(child, 2);
        test.world.run();
        CHECK(test.world.incarnation(child.value) == 1);
        CHECK(test.came_in_order({"child got 1", "child got 2"}));
        CHECK(quarantined(test).empty());
      },
      with_attempts(1, one()));
}

// ---- 185i ---------------------------------------------------------------------------------------

TEST_CASE("185i an answer, a Terminated and a hook that fails are not given again") {
  under_seeds(
      [](SeededTest& test) {
        Script script;
        script.terminated = [](ScriptedActor&, Context&, const Terminated&) {
          throw Restarting("no");
        };
        const Ref child = test.spawn<Sulking>("child", script);
        const Ref other = test.spawn("other");
        test.watch(child, other);
        test.stop(other);
        test.world.run();
        CHECK(test.world.incarnation(child.value) == 1);
        const Ref answerer =
            test.spawn("answerer", {.question = [](ScriptedActor&, Context& ctx, const Question&) {
                         ctx.reply(Answer{1});
                       }});
        test.perform(child, [answerer](ScriptedActor&, Context& ctx) {
          ctx.ask<&Sulking::refused>(answerer, Question{1}, 10s);
        });
        CHECK(test.world.incarnation(child.value) == 2);
        CHECK(redelivered(test) == 0);
        CHECK(quarantined(test).empty());
        CHECK(test.answers(child));
      },
      with_attempts(1));
}

TEST_CASE("185i the message of a timer is given again as others are") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        Tries tries{.failing = 1};
        test.suspend(child);
        queue_trying(test, child, tries);  // the act with the number 0
        test.resume(child);
        test.world.run();
        CHECK(tries.made == 2);
        tries = {.failing = 1};
        test.perform(child,
                     [](ScriptedActor&, Context& ctx) { ctx.start_timer("again", 10ms, Act{0}); });
        test.world.advance(20ms);
        CHECK(tries.made == 2);
        CHECK(redelivered(test) == 2);
      },
      with_attempts(2));
}

// ---- 185j ---------------------------------------------------------------------------------------

TEST_CASE("185j unless that is configured, the message is gone") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    Tries tries;
    queue_trying(test, child, tries);
    test.world.run();
    CHECK(tries.made == 1);
    CHECK(quarantined(test).empty());
  });
}

TEST_CASE("185j a reload changes the number of attempts of an actor that runs") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.find("/user/child");
        Tries tries;
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(tries.made == 1);
        reconfigure(test, {{"child"}}, {{"/user/child", {.attempts_max = 4}}});
        tries = {};
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(tries.made == 4);
        CHECK(quarantined(test).size() == 1);
        reconfigure(test, {{"child"}}, {{"/user/child", {.attempts_max = 0}}});
        tries = {};
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(tries.made == 1);
        CHECK(quarantined(test).size() == 1);
      },
      boot({{"child"}}));
}

// ---- 185k ---------------------------------------------------------------------------------------

TEST_CASE("185k the quarantine is full: the message is a dead letter, and that is told once") {
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        system::MessageQuarantine& quarantine = test.world.system().message_quarantine();
        quarantine.set_limit({.messages = 2});
        const Ref child = test.spawn("child");
        Tries tries[4];
        for (Tries& each : tries) queue_trying(test, child, each);
        test.world.run();
        CHECK(quarantine.size() == 2);
        REQUIRE(letters.size() == 2);
        CHECK(letters[0].reason == "poison");
        CHECK(test.world.events("quarantine.full").size() == 1);
        CHECK(quarantine.remove(quarantine.all()[0]->id));
        Tries fifth, sixth;
        queue_trying(test, child, fifth);
        queue_trying(test, child, sixth);
        test.world.run();
        CHECK(quarantine.size() == 2);
        CHECK(quarantine.total() == 3);
        CHECK(test.world.events("quarantine.full").size() == 2);
      },
      with_attempts(1));
}

TEST_CASE("185k a message that is larger than the quarantine is a dead letter") {
  under_seeds(
      [](SeededTest& test) {
        test.world.system().message_quarantine().set_limit({.messages = 10, .bytes = 100});
        const Ref child = test.spawn("child");
        Tries tries;
        queue_trying(test, child, tries);
        test.world.run();
        CHECK(quarantined(test).empty());
        CHECK(test.world.events("deadletter").size() == 1);
      },
      with_attempts(1));
}

}  // namespace actord::conformance
