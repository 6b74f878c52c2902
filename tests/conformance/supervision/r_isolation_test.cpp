// SPDX-License-Identifier: Apache-2.0
//
// Actors in host processes that end, and what becomes of their messages: items 181a to 181f, 181i
// and 181j.
#include "isolation_support.hpp"

namespace actord::conformance {

TEST_CASE("181a the end of the process is a WorkerCrash of the actor that was busy in it") {
  using Kind = HostEnd::Kind;
  struct Row {
    HostEnd end;
    std::string type, parent, what;
  };
  const Row rows[] = {
      {by_signal(11, "SIGSEGV"), "actord::crash::SIGSEGV", "actord::crash::Signal", "by SIGSEGV"},
      {{Kind::exited, 3, {}, {}, 7}, "actord::crash::Exit", "actord::WorkerCrash", "status 3"},
      {{Kind::hang, 9, {}, {}, 7}, "actord::crash::Hang", "actord::crash::Signal", "killed"},
      {{Kind::protocol, 9, {}, "why", 7}, "actord::crash::Protocol", "actord::WorkerCrash", "why"}};
  for (const Row& row : rows) {
    CAPTURE(row.type);
    under_seeds(
        [&](SeededTest& test) {
          test.perform(child_of(test),
                       [&](ScriptedActor& actor, Context&) { kill(actor.test(), "vat", row.end); });
          const auto failed = test.world.events("actor.failed");
          REQUIRE(failed.size() == 1);
          CHECK(failed[0].field("actor.path") == "/user/boss/child");
          CHECK(failed[0].field("failure.type") == row.type);
          CHECK(failed[0].field("message.type") == "play.Act/1");
          CHECK(failed[0].field("failure.message").find(row.what) != std::string_view::npos);
          CHECK(test.count("boss judged") == 1);
          CHECK(test.life_of("child") == lost_and_restarted);
          CHECK(test.answers(child_of(test)));
        },
        isolated({in_actord("boss", {in_process("child")})}, [&row] {
          return Scripts{
              {"boss", {.decide = [&row](ScriptedActor& boss, Context&, const Failure& failure) {
                 boss.record("judged");
                 CHECK(failure.is(row.parent));
                 CHECK(failure.is<WorkerCrash>());
                 return Directive::undecided;
               }}}};
        }));
  }
}

TEST_CASE("181b the message is gone, and later ones are handled in their order") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        test.note(child, 1);
        queue_crash(test, child);
        for (int n = 2; n < 7; ++n) test.note(child, n);
        test.world.run();
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, got 1, new 1, post_restart 1, pre_start 1, got 2, got 3, got 4, "
              "got 5, got 6");
        CHECK(test.read_dead_letters().empty());
      },
      one());
}

TEST_CASE("181b a message that the process had not begun is the first of the next instance") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        for (int n = 1; n < 4; ++n) test.note(child, n);
        let_end_at(test, 2, Fate::dies_before);
        test.world.run();
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, got 1, new 1, post_restart 1, pre_start 1, got 2, got 3");
      },
      one());
}

TEST_CASE("181b such a message is kept even if the stash of the actor is full") {
  SeededTest::Setup setup = one();
  setup.options.stash_capacity = 1;
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        test.queue(child, [](ScriptedActor&, Context& ctx) { ctx.stash(); });
        test.world.run();
        test.note(child, 1);
        test.note(child, 2);
        let_end_at(test, 1, Fate::dies_before);
        test.world.run();
        test.world.loopback()->choose_fates_with({});
        CHECK(test.count("child got 1") == 1);
        CHECK(test.count("child got 2") == 1);
        CHECK(test.came_in_order({"child got 1", "child got 2"}));
        test.perform(child, [](ScriptedActor&, Context&) {});
      },
      setup);
}

TEST_CASE("181c what was said before the end is done, and what was not said is not") {
  under_seeds(
      [](SeededTest& test) {
        const Ref other = test.find("/user/boss/other");
        test.perform(child_of(test), [other](ScriptedActor& actor, Context& ctx) {
          for (int n = 1; n < 4; ++n) ctx.tell(other, Note{n});
          ctx.watch(other);
          kill(actor.test());
          ctx.tell(other, Note{4});
        });
        CHECK(test.life_of("other") == "new 0, pre_start 0, got 1, got 2, got 3");
        test.stop(other);
        CHECK(test.count("child terminated other confirmed stopped") == 1);
      },
      isolated({in_actord("boss", {in_process("child"), in_process("other", "elsewhere")},
                          restarts())}));
}

TEST_CASE("181c a host that says the beginning of a request only has broken the protocol") {
  under_seeds(
      [](SeededTest& test) {
        let_end_at(test, 1, Fate::garbles);
        test.note(child_of(test), 1);
        test.note(child_of(test), 2);
        test.world.run();
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("failure.type") == "actord::crash::Protocol");
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, got 1, new 1, post_restart 1, pre_start 1, got 2");
      },
      one());
}

TEST_CASE("181d the reference, the name and both sides' watches stay; timers and asks end") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test), other = test.find("/user/boss/other");
        test.watch(other, child);
        test.watch(child, other);
        test.perform(child, [other](ScriptedActor&, Context& ctx) {
          ctx.start_timer("late", 5ms, Note{7});
          ctx.receive_timeout(6ms);
          ctx.ask<&ScriptedActor::asked>(other, Question{1}, 8ms);
        });
        crash(test, child);
        CHECK(child_of(test) == child);
        test.world.advance(20ms);
        CHECK(test.count("child got 7") == 0);
        CHECK(test.count("child silence 6 ms") == 0);
        CHECK(test.world.events("actor.failed").size() == 1);
        test.stop(other);
        CHECK(test.count("child terminated other confirmed stopped") == 1);
        test.stop(child);
        CHECK(test.life_of("other") == "new 0, pre_start 0, post_stop 0");
      },
      isolated(
          {in_actord("boss", {in_process("child"), in_process("other", "elsewhere")}, restarts())},
          [] {
            return Scripts{
                {"other", {.question = [](ScriptedActor&, Context&, const Question&) {}}}};
          }));
}

TEST_CASE("181d watchers are told nothing of a restart, and of a stop once") {
  under_seeds(
      [](SeededTest& test) {
        const Ref watcher = test.find("/user/watcher");
        test.watch(watcher, child_of(test));
        crash(test, child_of(test));
        CHECK(test.life_of("watcher") == "new 0, pre_start 0");
        crash(test, child_of(test));
        CHECK(test.life_of("watcher") == "new 0, pre_start 0, terminated child confirmed limit");
        CHECK(test.life_of("child") == lost_and_restarted);
      },
      isolated(
          {in_actord("boss", {in_process("child")}, restarting(1)), in_actord("watcher", {})}));
}

TEST_CASE("181e resume is a restart, which the limit counts, and a line says so") {
  under_seeds(
      [](SeededTest& test) {
        test.perform(child_of(test), [](ScriptedActor& actor, Context&) { actor.value = 42; });
        crash(test, child_of(test));
        CHECK(test.value(child_of(test)) == 0);
        CHECK(test.life_of("child") == lost_and_restarted);
        crash(test, child_of(test));
        CHECK(child_of(test) == Ref{});  // the limit allows one restart
      },
      [] {
        actor::Strategy strategy = always(actor::Strategy::Otherwise::resume);
        strategy.restart_limit.max_restarts = 1;
        return isolated({in_actord("boss", {in_process("child")}, strategy)});
      }());
}

TEST_CASE("181f the hooks of a lost instance do not run, and its children are stopped") {
  for (const bool is_stopped : {false, true}) {
    CAPTURE(is_stopped);
    using enum actor::Strategy::Otherwise;
    under_seeds(
        [&](SeededTest& test) {
          const Ref child = child_of(test);
          Ref grandchild;
          test.perform(child, [&](ScriptedActor&, Context& ctx) {
            grandchild = ctx.spawn("grandchild", "actord/Supervisor");
          });
          REQUIRE(test.is_alive(grandchild));
          crash(test, child);
          CHECK_FALSE(test.is_alive(grandchild));
          CHECK(test.is_alive(child) != is_stopped);
          CHECK(test.life_of("child") ==
                (is_stopped ? "new 0, pre_start 0" : std::string{lost_and_restarted}));
        },
        one(is_stopped ? stop : restart));
  }
}

TEST_CASE("181i an ask that the actor has not answered fails at once with the crash") {
  under_seeds(
      [](SeededTest& test) {
        const Ref asker = test.find("/user/asker"), child = child_of(test);
        test.perform(asker, [child](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(child, Question{1}, 1h);
        });
        CHECK(test.life_of("asker").find("refused actord::crash::SIGSEGV") != std::string::npos);
        CHECK(test.life_of("child") == lost_and_restarted);
      },
      isolated({in_actord("boss", {in_process("child")}, restarts()), in_actord("asker", {})}, [] {
        return Scripts{{"child", {.question = [](ScriptedActor& actor, Context&, const Question&) {
                          kill(actor.test());
                        }}}};
      }));
}

namespace {

/// An actor in a process that puts off what it is asked, and one in actord that asks it.
SeededTest::Setup putting_off(Script::Hook then = {}) {
  return isolated(
      {in_actord("boss", {in_process("child")}, restarts()), in_actord("asker", {})}, [then] {
        return Scripts{
            {"child", {.question = [then](ScriptedActor& actor, Context& ctx, const Question&) {
               actor.record("was asked");
               if (then) then(actor, ctx);
             }}}};
      });
}
void ask_child(SeededTest& test) {
  test.perform(test.find("/user/asker"), [child = child_of(test)](ScriptedActor&, Context& ctx) {
    ctx.ask<&ScriptedActor::asked>(child, Question{1}, 1h);
  });
  REQUIRE(test.count("child was asked") == 1);
}
bool is_refused(const SeededTest& test) {
  return test.life_of("asker").find("refused actord::crash::SIGSEGV") != std::string::npos;
}

}  // namespace

TEST_CASE("181i an ask that the actor has put off fails with the crash over another message") {
  under_seeds(
      [](SeededTest& test) {
        ask_child(test);
        CHECK_FALSE(is_refused(test));
        crash(test, child_of(test));
        CHECK(is_refused(test));
        CHECK(test.read_dead_letters().empty());
      },
      putting_off());
}

TEST_CASE("181i an ask that the actor has put off fails when the process ends in between") {
  under_seeds(
      [](SeededTest& test) {
        ask_child(test);
        kill(test);
        test.world.run();
        CHECK(is_refused(test));
      },
      putting_off());
}

TEST_CASE("181i an ask that is answered, or that another actor will answer, does not fail") {
  const Script::Hook ways[] = {
      [](ScriptedActor&, Context& ctx) { ctx.reply(Answer{2}); },
      [](ScriptedActor&, Context& ctx) { ctx.tell(ctx.sender(), Answer{2}); },
      [](ScriptedActor& actor, Context& ctx) { ctx.forward(actor.test().find("/user/asker")); },
      [](ScriptedActor& actor, Context& ctx) {
        if (actor.number() == 0) ctx.stash();
      }};
  for (const Script::Hook& way : ways) {
    under_seeds(
        [](SeededTest& test) {
          test.read_dead_letters();
          ask_child(test);
          crash(test, child_of(test));
          CHECK_FALSE(is_refused(test));
          CHECK(test.dead_letters.empty());
        },
        putting_off(way));
  }
}

TEST_CASE("181j a message that ends the process twice is poison, and is not handled again") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        test.read_dead_letters();
        int tries = 0;
        test.queue(child, [&tries](ScriptedActor& actor, Context&) {
          ++tries;
          kill(actor.test());
        });
        test.world.run();
        CHECK(test.dead_letters.empty());
        for (int i = 0; i < 5; ++i) {
          test.world.send(child.value, Act{0});
          test.note(child, i);
        }
        test.world.run();
        CHECK(tries == 2);
        CHECK(test.is_alive(child));  // the limit has counted the first time only
        CHECK(test.world.incarnation(child.value) == 2);
        REQUIRE(test.dead_letters.size() == 5);
        for (const DeadLetter& letter : test.dead_letters) {
          CHECK(letter.reason == "poison");
          CHECK(letter.type == "play.Act/1");
          CHECK(letter.path == "/user/boss/child");
        }
        for (int i = 0; i < 5; ++i) CHECK(test.count("child got " + std::to_string(i)) == 1);
      },
      isolated({in_actord("boss", {in_process("child")}, restarting(1))}));
}

TEST_CASE("181j a message that is stashed when the process ends comes again, and once") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        int tries = 0;
        test.queue(child, [&tries](ScriptedActor& actor, Context& ctx) {
          ++tries;
          ctx.stash();
          kill(actor.test());
        });
        test.note(child, 1);
        test.world.run();
        CHECK(tries == 2);  // the second time it is poison, and the third it is not handled
        CHECK(test.count("child got 1") == 1);
        CHECK(test.read_dead_letters().empty());
        CHECK(test.world.events("deadletter").size() == 1);
        CHECK(test.answers(child));
      },
      one());
}

}  // namespace actord::conformance
