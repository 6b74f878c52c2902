// SPDX-License-Identifier: Apache-2.0
//
// Asks that are answered through the ref of the ask: items 180p and 180q.
#include "actor/cell_extras.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

struct Address {
  Ref to;
};
ACTORD_MESSAGE(Address, "play.Address/1", to)
struct FullLine {  // fits into an envelope only without the token of an answer
  std::int64_t a = 1, b = 2, c = 3, d = 4, e = 5;
};
ACTORD_MESSAGE(FullLine, "play.FullLine/1", a, b, c, d, e)

// Takes answers of other types than an Answer.
class Curious : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void letter(Context&, const Reply<Letter>& reply) {
    record(reply ? "letter of " + std::to_string(reply->text.size())
                 : "refused " + std::string{reply.failure().type()});
  }
  void late(Context&, const Reply<Letter>& reply) {
    const Failure failure = reply.failure();
    const auto timeout = failure.detail_as<std::chrono::nanoseconds>("timeout");
    record(std::string{failure.detail("sender")} + " asked " +
           std::string{failure.detail("target")} + ": " +
           std::string{failure.detail("message_type")} + ", " +
           std::to_string(timeout ? timeout->count() / 1'000'000 : -1) + " ms");
  }
  void full_line(Context&, const Reply<FullLine>& reply) {
    record("line " + std::to_string(reply->a + reply->b + reply->c + reply->d + reply->e));
  }
  void identity(Context& ctx, const Reply<ActorIdentity>& reply) {
    record(reply ? "found " + ctx.path(reply->who)
                 : "refused " + std::string{reply.failure().what()});
  }
};

// Answers to the ref that it is told.
class Answerer : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void address(Context& ctx, const Address& address) { ctx.tell(address.to, Answer{9}); }
  using Receive = Handlers<&ScriptedActor::act, &Answerer::address>;
  using States = actord::States<>;
};

void use_messages(SeededTest& test) {
  test.world.use(
      *plugin_table<Behaviours<>, Messages<Act, Note, Question, Answer, Letter, Address, FullLine>>(
          "answers", "1"));
}

// What the question's handler does instead of answering.
Script on_question(std::function<void(Context&, const Question&)> what) {
  return {.question = [what](ScriptedActor&, Context& ctx, const Question& q) { what(ctx, q); }};
}

// Keeps the sender of the question.
Script keeping_sender(Ref& asked) {
  return on_question([&asked](Context& ctx, const Question&) { asked = ctx.sender(); });
}

void ask(SeededTest& test, Ref asker, Ref whom, std::chrono::nanoseconds timeout = 1s) {
  test.perform(asker, [=](ScriptedActor&, Context& ctx) {
    ctx.ask<&ScriptedActor::asked>(whom, Question{7}, timeout);
  });
}

void answer(SeededTest& test, Ref answerer, Ref asked, int n = 9) {
  test.perform(answerer, [=](ScriptedActor&, Context& ctx) { ctx.tell(asked, Answer{n}); });
}

}  // namespace

TEST_CASE("180p what is told to the sender of an ask completes it") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", on_question([](Context& ctx, const Question& q) {
                                    ctx.tell(ctx.sender(), Answer{q.n + 1});
                                  }));
    ask(test, asker, target);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 8");
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("180p the answer may come later, after a restart or the end of who was asked") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    answer(test, target, asked, 1);
    ask(test, asker, target);
    test.fail<Restarting>(target);
    answer(test, target, asked, 2);
    ask(test, asker, target);
    test.stop(target);
    test.world.run();
    answer(test, test.spawn("heir"), asked, 3);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 1, reply 2, reply 3");
  });
}

TEST_CASE("180p an actor to which the sender is passed on answers in its place") {
  under_seeds(
      [](SeededTest& test) {
        const Ref asker = test.spawn("asker");
        const Ref store = test.spawn("store");  // answers with the number asked
        const Ref answerer = test.spawn<Answerer>("answerer");
        const Ref middle = test.spawn("middle", on_question([&](Context& ctx, const Question& q) {
                                        ctx.tell(store, Question{q.n * 2}, ctx.sender());
                                      }));
        const Ref teller =
            test.spawn<Curious>("teller", on_question([&](Context& ctx, const Question&) {
                                  ctx.tell(answerer, Address{ctx.sender()});
                                }));
        ask(test, asker, middle);
        ask(test, asker, teller);
        CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 14, reply 9");
      },
      {.before_start = use_messages});
}

TEST_CASE("180p a question is forwarded over several hops, and each knows who asked") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    std::vector<Ref> known;
    Ref next = test.spawn("last", on_question([&](Context& ctx, const Question& q) {
                            known.push_back(ctx.asker());
                            ctx.reply(Answer{q.n});
                          }));
    for (const char* name : {"c", "b", "a"}) {
      next = test.spawn(name, on_question([&known, next](Context& ctx, const Question&) {
                          known.push_back(ctx.asker());
                          ctx.forward(next);
                        }));
    }
    ask(test, asker, next);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 7");
    CHECK(known == std::vector<Ref>(4, asker));
    test.perform(asker, [](ScriptedActor&, Context& ctx) { CHECK_FALSE(ctx.asker()); });
  });
}

TEST_CASE("180p only the first answer counts, and another is a dead letter") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    const Ref other = test.spawn("other");
    ask(test, asker, target);
    answer(test, other, asked, 1);
    answer(test, target, asked, 2);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 1");
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].type == "play.Answer/1");
    CHECK(letters[0].sender == target);
    CHECK(letters[0].recipient == asker);
    CHECK(letters[0].reason == "timeout");
  });
}

TEST_CASE("180j an AskTimeout has target, sender, message type and timeout among its details") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn<Curious>("asker");
    const Ref target = test.spawn("target", on_question([](Context&, const Question&) {}));
    test.perform(asker, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&Curious::late>(target, Question{1}, 1500ms);
    });
    test.world.advance(1500ms);
    CHECK(test.count("asker /user/asker asked /user/target: play.Question/1, 1500 ms") == 1);
  });
}

TEST_CASE("180p after the timeout, a restart or the end of the asker no answer is taken") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    test.world.advance(1s);
    CHECK(test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::AskTimeout: play.Question/1 to /user/target was not "
          "answered within 1 s");
    answer(test, target, asked);
    CHECK(letters.size() == 1);
    ask(test, asker, target);
    test.fail<Restarting>(asker);
    answer(test, target, asked);
    CHECK(letters.size() == 2);
    ask(test, asker, target);
    test.stop(asker);
    test.world.run();
    answer(test, target, asked);
    REQUIRE(letters.size() == 3);
    CHECK(letters[2].recipient == asked);
    CHECK(letters[2].sender == target);
    CHECK(test.life_of("asker").find("reply") == std::string::npos);
  });
}

TEST_CASE("180p a later tenant of the asker's cell gets no answer that is not its own") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    Ref asked;
    const Ref target = test.spawn("target", keeping_sender(asked));
    const Ref former = test.spawn("former");
    ask(test, former, target);
    const Ref asked_by_former = asked;
    test.stop(former);
    test.world.run();
    Ref later;
    for (int i = 0; i < 2000; ++i) {
      later = test.spawn("later" + std::to_string(i));
      if (actor::index_of(later.value) == actor::index_of(former.value)) break;
      test.stop(later);
      test.world.run();
    }
    REQUIRE(actor::index_of(later.value) == actor::index_of(former.value));
    ask(test, later, target);
    answer(test, target, asked_by_former);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].recipient == asked_by_former);
    answer(test, target, asked, 5);
    CHECK(test.life_of(test.name_of(later)) == "new 0, pre_start 0, reply 5");
  });
}

TEST_CASE("180p an ask may be answered with a failure later, by another actor") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    const Ref other = test.spawn("other");
    ask(test, asker, target);
    test.perform(other, [&](ScriptedActor&, Context& ctx) {
      CHECK(ctx.reply_failure<Stopping>(asked, "not today"));
      CHECK_FALSE(ctx.reply_failure<Stopping>(asker, "this one has not asked"));
    });
    CHECK(test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::conformance::Stopping: not today");
  });
}

TEST_CASE("180p an answer may have any size") {
  under_seeds(
      [](SeededTest& test) {
        Ref asked;
        const Ref asker = test.spawn<Curious>("asker");
        const Ref target = test.spawn<Curious>("target", keeping_sender(asked));
        for (const std::size_t size : {0, 1, 1000}) {
          test.perform(asker, [&](ScriptedActor&, Context& ctx) {
            ctx.ask<&Curious::letter>(target, Question{}, 1s);
          });
          test.perform(target, [&](ScriptedActor&, Context& ctx) {
            ctx.tell(asked, Letter{std::string(size, 'x')});
          });
        }
        test.perform(asker, [&](ScriptedActor&, Context& ctx) {
          ctx.ask<&Curious::full_line>(target, Question{}, 1s);
        });
        test.perform(target, [&](ScriptedActor&, Context& ctx) { ctx.tell(asked, FullLine{}); });
        CHECK(test.life_of("asker") ==
              "new 0, pre_start 0, letter of 0, letter of 1, letter of 1000, line 15");
      },
      {.before_start = use_messages});
}

TEST_CASE("180p an answer does not overtake what its sender told the asker before") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    test.perform(target, [&](ScriptedActor&, Context& ctx) {
      for (int i = 0; i < 100; ++i) ctx.tell(asker, Note{i});
      ctx.tell(asked, Answer{1});
    });
    CHECK(test.life_of("asker").ends_with("got 98, got 99, reply 1"));
  });
}

TEST_CASE("180p an answer gets into a full mailbox") {
  under_seeds(
      [](SeededTest& test) {
        Ref asked;
        const Ref asker = test.spawn("asker");
        const Ref target = test.spawn("target", keeping_sender(asked));
        ask(test, asker, target);
        test.world.send_system(asker.value, actor::SystemMessage::suspend());
        for (int i = 0; i < 5; ++i) test.note(asker, i);
        answer(test, target, asked);
        test.world.send_system(asker.value, actor::SystemMessage::resume());
        test.world.run();
        CHECK(test.life_of("asker") == "new 0, pre_start 0, got 0, got 1, reply 9");
      },
      {.before_start = [](SeededTest& test) {
        actor::Deployment bounded{.pattern = "/user/asker"};
        bounded.options.mailbox_capacity = 2;
        test.deployments.push_back(bounded);
      }});
}

TEST_CASE("180p what answers nothing does not complete an ask") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    Ref asked;
    const Ref asker = test.spawn<Curious>("asker");
    const Ref other = test.spawn<Curious>("other");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    test.perform(other, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(asked, Question{1}, 1s);
      ctx.ask<&Curious::identity>(asked, Identify{1}, 1s);
      ctx.tell(asked, PoisonPill{});
      ctx.tell(asked, Kill{});
    });
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
    CHECK(test.came_in_order({"other refused actord::NoRecipient: play.Question/1 did not reach " +
                                  test.world.path(asked.value) + ": no-actor",
                              "other found /deadLetters"}));
    CHECK(letters.size() == 2);  // the Question and the Kill: the others are not reported
    answer(test, target, asked);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 9");
  });
}

TEST_CASE("180p an answer may come from outside, from the scheduler or from a dying actor") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    test.world.send(asked.value, Answer{1});
    ask(test, asker, target);
    test.perform(target, [&](ScriptedActor&, Context& ctx) {
      ctx.schedule_once(500ms, asked, Answer{2});
      ctx.system().schedule(asked, 600ms, Answer{3}, 1ms);  // too late, and then no more
    });
    test.world.advance(700ms);
    ask(test, asker, target);
    test.perform(target, [&](ScriptedActor&, Context& ctx) {
      ctx.system().schedule(asked, 100ms, Answer{4}, 1ms);
    });
    test.world.advance(200ms);
    const Ref dying = test.spawn(
        "dying", {.post_stop = [&](ScriptedActor&, Context& ctx) { ctx.tell(asked, Answer{5}); }});
    ask(test, asker, target);
    test.stop(dying);
    test.world.run();
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 1, reply 2, reply 4, reply 5");
    CHECK(test.world.simulator().timers().size() == 0);
  });
}

TEST_CASE("180p a question that failed or was stashed is answered like any other") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref failing = test.spawn(
        "failing",
        {.pre_restart = [](ScriptedActor&, Context& ctx,
                           const Failure&) { ctx.tell(ctx.sender(), Answer{1}); },
         .question = [](ScriptedActor&, Context&, const Question&) { throw Restarting("no"); }});
    ask(test, asker, failing);
    bool is_first = true;
    const Ref putting_off =
        test.spawn("putting-off", on_question([&](Context& ctx, const Question&) {
                     if (std::exchange(is_first, false)) return ctx.stash();
                     ctx.tell(ctx.sender(), Answer{2});
                   }));
    ask(test, asker, putting_off);
    test.perform(putting_off, [](ScriptedActor&, Context& ctx) { ctx.unstash_all(); });
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 1, reply 2");
  });
}

TEST_CASE("180p a ref that was never given out completes no ask and reaches no actor") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    const Ref idle = test.spawn("idle");
    ask(test, asker, target);
    const std::uint64_t answer_bits = std::uint64_t{2} << 62;
    const std::uint64_t number = actor::ask_number_of(asked.value);
    for (const std::uint64_t forged :
         {answer_bits, answer_bits | number, asked.value - 1, asked.value + 1,
          actor::make_answer_ref(actor::index_of(asker.value), 0),
          actor::make_answer_ref(actor::max_cell_index, number),
          actor::make_answer_ref(1'000'000, number),
          actor::make_answer_ref(actor::index_of(idle.value), number), std::uint64_t{1} << 62,
          std::uint64_t{3} << 62, ~std::uint64_t{0}, std::uint64_t{77} << 32}) {
      CAPTURE(forged);
      test.perform(target, [forged](ScriptedActor&, Context& ctx) {
        const Ref ref{forged};
        ctx.tell(ref, Answer{13});
        ctx.tell(ref, Letter{"long enough to be no word at all"});
        ctx.stop(ref);
        ctx.reply_failure<Stopping>(ref, "forged");
        ctx.schedule_once(1ms, ref, Note{1});
        CHECK_FALSE(ctx.path(ref).empty());
      });
      test.watch(target, Ref{forged});
      test.world.advance(2ms);
    }
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
    CHECK(test.life_of("idle") == "new 0, pre_start 0");
    answer(test, target, asked);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 9");
  });
}

TEST_CASE(
    "180p the ref of an ask lies below /temp; a watch of it ends at once, a stop does nothing") {
  under_seeds([](SeededTest& test) {
    Ref asked;
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target", keeping_sender(asked));
    ask(test, asker, target);
    const std::string path = test.world.path(asked.value);
    CHECK(path.starts_with("/temp/$"));
    CHECK_FALSE(test.find(path));
    test.watch(target, asked);
    CHECK(test.life_of("target").find(" unconfirmed no-such-actor") != std::string::npos);
    test.perform(target, [&](ScriptedActor&, Context& ctx) {
      ctx.unwatch(asked);
      ctx.stop(asked);
    });
    CHECK(test.is_alive(asker));
    answer(test, target, asked);
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 9");
  });
}

TEST_CASE("180p in the log the sender of a question is the asker") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn(
        "target", on_question([](Context&, const Question&) { throw Restarting("cannot"); }));
    ask(test, asker, target);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("message.sender") == "/user/asker");
    test.stop(target);
    test.world.run();
    ask(test, asker, target);
    const auto dead = test.world.events("deadletter");
    REQUIRE(dead.size() == 1);
    CHECK(dead[0].field("message.sender") == "/user/asker");
  });
}

TEST_CASE("180j an ask whose timeout is not more than 0 is refused where it is made") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn("asker");
    const Ref target = test.spawn("target");
    for (const auto timeout : {0ns, -1ns}) {
      test.perform(asker, [&](ScriptedActor&, Context& ctx) {
        CHECK_THROWS_WITH_AS(ctx.ask<&ScriptedActor::asked>(target, Question{}, timeout),
                             "an ask needs a timeout of more than 0", Error);
      });
    }
    test.world.advance(1s);
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
  });
}

TEST_CASE("180q a selection is asked, and the first answer counts") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref asker = test.spawn("asker");
    const Ref boss = test.spawn("boss");
    for (const char* name : {"a", "b", "c"}) test.spawn_under(boss, name);
    test.perform(asker, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("/user/boss/b").ask<&ScriptedActor::asked>(Question{1}, 1s) == 1);
    });
    CHECK(letters.empty());
    test.perform(asker, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("/user/boss/*").ask<&ScriptedActor::asked>(Question{2}, 1s) == 3);
    });
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 1, reply 2");
    CHECK(letters.size() == 2);  // the other two answers
  });
}

TEST_CASE("180q an ask of a selection without an actor fails at once, others in time") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref asker = test.spawn("asker");
    const Ref boss = test.spawn("boss");
    for (const char* name : {"a", "b"}) test.spawn_under(boss, name, on_question([](auto&...) {}));
    test.perform(asker, [](ScriptedActor&, Context& ctx) {
      CHECK(ctx.select("nobody").ask<&ScriptedActor::asked>(Question{1}, 1s) == 0);
      CHECK(ctx.select("/user/x/*").ask<&ScriptedActor::asked>(Question{2}, 1s) == 0);
      CHECK(ctx.select("../boss/*").ask<&ScriptedActor::asked>(Question{3}, 1500ms) == 2);
    });
    CHECK(letters.size() == 1);  // the path; the pattern is silent
    const std::string none = "refused actord::NoRecipient: play.Question/1 did not reach ";
    CHECK(test.life_of("asker") == "new 0, pre_start 0, " + none +
                                       "/user/asker/nobody: no actor has such a path, " + none +
                                       "/user/x/*: no actor has such a path");
    test.world.advance(1500ms);
    CHECK(test.life_of("asker").ends_with(
        "refused actord::AskTimeout: play.Question/1 to /user/boss/* was not answered within "
        "1500 ms"));
  });
}

TEST_CASE("180q a selection is resolved to the ref of an actor, or fails") {
  under_seeds([](SeededTest& test) {
    const Ref asker = test.spawn<Curious>("asker");
    test.spawn("target");
    test.perform(asker, [](ScriptedActor&, Context& ctx) {
      ctx.select("/user/target").resolve<&Curious::identity>(1s);
      ctx.select("/user/*").resolve<&Curious::identity>(1s);
    });
    test.perform(asker, [](ScriptedActor&, Context& ctx) {
      ctx.select("/user/nobody").resolve<&Curious::identity>(1s);
    });
    CHECK(test.count("asker found /user/target") == 1);
    CHECK(test.count("asker refused actord.Identify/1 did not reach /user/nobody: no actor has "
                     "such a path") == 1);
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("180q a message is forwarded to a selection with its first sender") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref asker = test.spawn("asker");
    const Ref boss = test.spawn("boss");
    for (const char* name : {"a", "b"}) test.spawn_under(boss, name);
    std::string paths;
    const Ref middle = test.spawn(
        "middle", on_question([&](Context& ctx, const Question&) { ctx.select(paths).forward(); }));
    for (const char* each : {"/user/boss/a", "/user/boss/*", "/user/nobody", "/user/x/*"}) {
      paths = each;
      ask(test, asker, middle);
    }
    CHECK(test.life_of("asker") ==
          "new 0, pre_start 0, reply 7, reply 7, refused actord::NoRecipient: play.Question/1 did "
          "not reach /user/nobody: no actor has such a path, refused actord::NoRecipient: "
          "play.Question/1 did not reach /user/x/*: no actor has such a path");
    CHECK(letters.size() == 2);  // the second answer, and what found no actor
  });
}

}  // namespace actord::conformance
