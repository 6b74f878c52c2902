// SPDX-License-Identifier: Apache-2.0
//
// Questions on which an actor fails: item 188.
#include "isolation_support.hpp"
#include "persistence_support.hpp"

namespace actord::conformance {

namespace {

using Handler = std::function<void(ScriptedActor&, Context&, const Question&)>;
using Strategies = actor::Strategy;

constexpr std::string_view waits_long = " refused actord::AskTimeout";

template <class E = Restarting>
Script failing(Handler before = {}, Script script = {}) {
  script.question = [before = std::move(before)](ScriptedActor& actor, Context& ctx,
                                                 const Question& question) {
    if (before) before(actor, ctx, question);
    throw E("no");
  };
  return script;
}

/// Asks, and records how it ended and after how many milliseconds.
std::string outcome(SeededTest& test, Ref whom, const std::string& name = "asker") {
  const Ref asker = test.spawn(name);
  const std::int64_t before = test.world.system().now_ns();
  test.perform(asker, [whom](ScriptedActor&, Context& ctx) {
    ctx.ask<&ScriptedActor::asked>(whom, Question{7}, 10s);
  });
  if (test.life_of(name).ends_with("pre_start 0")) test.world.advance(10s);
  const std::int64_t after = (test.world.system().now_ns() - before) / ms;
  std::string life = test.life_of(name);
  life.erase(0, life.find("pre_start 0") + 11);
  if (life.find("AskTimeout") != std::string::npos) return "times out";
  return life + (after >= 10'000 ? ", late" : "");
}

constexpr std::string_view fails = ", refused actord::conformance::Restarting: no";

SeededTest::Setup with_option(std::optional<bool> of_pattern, bool of_all = true) {
  SeededTest::Setup setup;
  setup.options.asks_fail = of_all;
  setup.before_start = [of_pattern](SeededTest& test) {
    test.deployments = {{"/user/child", {.asks_fail = of_pattern}}};
  };
  return setup;
}

}  // namespace

// ---- 188a ---------------------------------------------------------------------------------------

TEST_CASE("188a the asker gets the failure, whatever the supervisor decides") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    CHECK(outcome(test, test.spawn_under(boss, "a", failing<Resuming>()), "of-a") ==
          ", refused actord::conformance::Resuming: no");
    CHECK(outcome(test, test.spawn_under(boss, "b", failing<Restarting>()), "of-b") == fails);
    CHECK(outcome(test, test.spawn_under(boss, "c", failing<Stopping>()), "of-c") ==
          ", refused actord::conformance::Stopping: no");
    CHECK(outcome(test, test.spawn_under(boss, "d", failing<Escalating>()), "of-d") ==
          ", refused actord::conformance::Escalating: no");
  });
}

TEST_CASE("188a the hooks come first, the back-off delay does not") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    Strategies strategy = always(Strategies::Otherwise::restart);
    strategy.backoff = actor::Backoff{.min_ns = 60'000 * ms, .max_ns = 60'000 * ms};
    test.user.options.strategy = strategy;
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child", failing());
        CHECK(outcome(test, child) == fails);
        CHECK(test.life_of("child").ends_with("pre_restart 0, post_stop 0"));
        CHECK(test.came_in_order({"child post_stop 0",
                                  "asker refused actord::conformance::"
                                  "Restarting: no"}));
      },
      setup);
}

TEST_CASE("188a under all-for-one the asker gets the failure of the actor that it has asked") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.user.options.strategy = with(Strategies::Kind::all_for_one);
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child", failing());
        const Ref sibling = test.spawn("sibling");
        const Ref asker = test.spawn("asker");
        test.queue(asker, [child](ScriptedActor&, Context& ctx) {
          ctx.ask<&ScriptedActor::asked>(child, Question{7}, 10s);
        });
        test.queue_failure<Stopping>(sibling, "of the sibling");
        test.world.run();
        // The asker may be restarted before its answer comes: then no handler gets it.
        CHECK(test.life_of("asker").find("of the sibling") == std::string::npos);
        CHECK(test.answers(child));
      },
      setup);
}

TEST_CASE("188a the messages of other askers, and of no asker, are not answered") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child", failing());
    const Ref other = test.spawn("other");
    test.world.tell(child.value, Question{7}, other.value);
    test.world.run();
    CHECK(test.life_of("other") == "new 0, pre_start 0");
    CHECK(outcome(test, child) == fails);
    CHECK(test.world.events("deadletter").empty());
  });
}

// ---- 188b ---------------------------------------------------------------------------------------

TEST_CASE("188b what was answered, or may be answered by another, does not fail") {
  under_seeds([](SeededTest& test) {
    const Ref store = test.spawn("store");  // answers with the number asked
    const std::vector<std::pair<const char*, Handler>> ways = {
        {"replied", [](auto&, Context& ctx, const Question&) { ctx.reply(Answer{1}); }},
        {"told", [](auto&, Context& ctx, const Question&) { ctx.tell(ctx.sender(), Answer{1}); }},
        {"refused", [](auto&, Context& ctx, const Question&) { ctx.reply_failure<Stopping>("x"); }},
        {"forwarded", [store](auto&, Context& ctx, const Question&) { ctx.forward(store); }},
        {"selected",
         [](auto&, Context& ctx, const Question&) { ctx.select("/user/store").forward(); }},
        {"given", [store](auto&, Context& ctx,
                          const Question&) { ctx.tell(store, Question{5}, ctx.sender()); }},
    };
    for (const auto& [way, handler] : ways) {
      CAPTURE(way);
      const Ref child = test.spawn(way, failing(handler));
      const std::string end = outcome(test, child, std::string{"asker-"} + way);
      const bool is_answered = end.starts_with(", reply ") || end.find("Stopping: x") != end.npos;
      CHECK(is_answered);
      CHECK(end.find("Restarting") == std::string::npos);
    }
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("188b who has read the sender may answer later") {
  under_seeds([](SeededTest& test) {
    Ref kept;
    const Ref child = test.spawn(
        "child", failing([&kept](auto&, Context& ctx, const Question&) { kept = ctx.sender(); }));
    const Ref asker = test.spawn("asker");
    test.perform(asker, [child](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(child, Question{7}, 10s);
    });
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
    test.perform(child, [&kept](ScriptedActor&, Context& ctx) { ctx.tell(kept, Answer{3}); });
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 3");
  });
}

TEST_CASE("188b a hook answers in place of the handler, or sends the message again") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn(
        "child", failing({}, {.pre_restart = [](ScriptedActor&, Context& ctx, const Failure&) {
                           ctx.reply(Answer{4});
                         }}));
    CHECK(outcome(test, child) == ", reply 4");
    int tries = 0;
    const Ref again =
        test.spawn("again", {.pre_restart =
                                 [](ScriptedActor&, Context& ctx, const Failure&) {
                                   if (const auto* question = ctx.message_as<Question>())
                                     ctx.tell(ctx.self(), Question{*question}, ctx.sender());
                                 },
                             .question =
                                 [&tries](ScriptedActor&, Context& ctx, const Question& question) {
                                   if (++tries == 1) throw Restarting("no");
                                   ctx.reply(Answer{question.n});
                                 }});
    CHECK(outcome(test, again, "asker-of-again") == ", reply 7");
    const Ref boss = test.spawn<Judge>("boss");
    const Ref last = test.spawn_under(
        boss, "last", failing<Stopping>({}, {.post_stop = [](ScriptedActor&, Context& ctx) {
                                          if (ctx.has_message()) ctx.reply(Answer{5});
                                        }}));
    CHECK(outcome(test, last, "asker-of-last") == ", reply 5");
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("188b a sender that was read before the message was stashed counts") {
  under_seeds([](SeededTest& test) {
    Ref kept;
    int calls = 0;
    const Ref child =
        test.spawn("child", {.question = [&](ScriptedActor&, Context& ctx, const Question&) {
                     if (++calls > 1) throw Restarting("no");
                     kept = ctx.sender();
                     ctx.stash();
                   }});
    const Ref asker = test.spawn("asker");
    test.perform(asker, [child](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(child, Question{7}, 10s);
    });
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.unstash_all(); });
    CHECK(calls == 2);
    CHECK(test.life_of("asker") == "new 0, pre_start 0");
    test.perform(child, [&kept](ScriptedActor&, Context& ctx) { ctx.tell(kept, Answer{3}); });
    CHECK(test.life_of("asker") == "new 0, pre_start 0, reply 3");
  });
}

// ---- 188c ---------------------------------------------------------------------------------------

TEST_CASE(
    "188c a message that the handler has stashed before it fails is answered when it is over") {
  under_seeds([](SeededTest& test) {
    int calls = 0;
    const Ref child = test.spawn(
        "child", {.question = [&](ScriptedActor&, Context& ctx, const Question& question) {
          if (++calls > 1) return ctx.reply(Answer{question.n});
          ctx.stash();
          throw Restarting("no");  // the restart puts it back into the mailbox
        }});
    CHECK(outcome(test, child) == ", reply 7");
  });
}

// ---- 188e ---------------------------------------------------------------------------------------

TEST_CASE("188e the pattern decides, else the value for all") {
  for (const auto& [pattern, all, is_on] :
       {std::tuple<std::optional<bool>, bool, bool>{std::nullopt, true, true},
        {std::nullopt, false, false},
        {false, true, false},
        {true, false, true}}) {
    under_seeds(
        [&, on = is_on](SeededTest& test) {
          CHECK(outcome(test, test.spawn("child", failing())) == (on ? fails : "times out"));
        },
        with_option(pattern, all));
  }
}

TEST_CASE("188e an actor that does not mark what it reads lets its askers wait") {
  static const actord_behaviour table = [] {
    actord_behaviour made = *detail::behaviour_table<ScriptedActor>();
    made.name = detail::to_c("Unmarked");
    made.flags &= ~std::uint32_t{ACTORD_MARKS_SENDER};
    return made;
  }();
  CHECK((detail::behaviour_table<ScriptedActor>()->flags & ACTORD_MARKS_SENDER) != 0);
  under_seeds([](SeededTest& test) {
    actord_props props = detail::props_of<ScriptedActor>(&test, failing());
    props.behaviour = &table;
    Ref child;
    test.perform(test.spawn("boss"), [&](ScriptedActor&, Context& ctx) {
      detail::HostErrors errors;
      child = {ctx.c().host->spawn(&ctx.c(), detail::to_c("child"), &props, &errors)};
    });
    CHECK(outcome(test, child) == "times out");
  });
}

// ---- 188f ---------------------------------------------------------------------------------------

TEST_CASE("188f an actor in a host process fails on a question, and has answered, or kept it") {
  Ref kept;
  under_seeds(
      [&kept](SeededTest& test) {
        CHECK(outcome(test, test.find("/user/boss/child"), "one") == fails);
        CHECK(outcome(test, test.find("/user/boss/polite"), "two") == ", reply 1");
        CHECK(outcome(test, test.find("/user/boss/keeper"), "three") == "times out");
        CHECK(kept);
        CHECK(test.world.events("deadletter").empty());
        kill(test);
        test.world.run();
        CHECK(test.world.events("deadletter").empty());
      },
      isolated({in_actord("boss", {in_process("child"), in_process("polite"), in_process("keeper")},
                          restarts())},
               [&kept] {
                 return Scripts{{"child", failing()},
                                {"polite", failing([](auto&, Context& ctx, const Question&) {
                                   ctx.reply(Answer{1});
                                 })},
                                {"keeper", failing([&kept](auto&, Context& ctx, const Question&) {
                                   kept = ctx.sender();
                                 })}};
               }));
}

}  // namespace actord::conformance

// ---- 188d ---------------------------------------------------------------------------------------

namespace actord::conformance::persistence {

namespace {

using Verdict = actor::Strategy::Otherwise;

struct Begin {};
ACTORD_MESSAGE(Begin, "ledger.Begin/1")

/// Asks the ledger to do the first act of the book, and records the answer.
class Client : public Actor {
 public:
  void begin(Context& ctx, const Begin&) {
    ctx.ask<&Client::on_sum>(ctx.find("/user/ledger"), Do{0}, 10s);
  }
  void on_sum(Context&, const Reply<Sum>& sum) {
    Ledger::record(sum ? "sum " + std::to_string(sum->total)
                       : "refused " + std::string{sum.failure().what()});
  }
  using Receive = Handlers<&Client::begin>;
};

/// What the client records when the ledger does `what` for it.
std::string outcome(Scene& it, Act what) {
  it.test.world.use(*plugin_table<Behaviours<Client>, Messages<Begin, Do, Sum>>("client", "1"));
  it.book.acts.push_back(std::move(what));
  const actor::Ref client = it.test.world.spawn<Client>("client");
  it.entries();
  it.test.world.send(client, Begin{});
  std::string seen;
  for (const std::string& entry : it.book.entries) {
    if (entry.starts_with("sum ") || entry.starts_with("refused ")) seen += entry;
  }
  return seen;
}

}  // namespace

TEST_CASE("188d what follows the event fails: the ask does, with the failure") {
  for (const Verdict verdict : {Verdict::resume, Verdict::restart, Verdict::stop}) {
    under_seeds(
        [](Scene& it) {
          CHECK(outcome(it, [](Ledger& ledger, Context& ctx) {
                  ledger.persist(ctx, Added{5}, [] { throw Error("behind the event"); });
                }) == "refused behind the event");
        },
        {.strategy = always(verdict)});
  }
}

TEST_CASE("188d what follows the event has answered, or the handler has read the sender") {
  under_seeds([](Scene& it) {
    CHECK(outcome(it, [](Ledger& ledger, Context& ctx) {
            ledger.persist(ctx, Added{5}, [&ledger](Context& c) {
              c.reply(ledger.state());
              throw Error("behind the answer");
            });
          }) == "sum 5");
    CHECK(it.test.world.events("deadletter").empty());
  });
  under_seeds([](Scene& it) {
    CHECK(outcome(it, [](Ledger& ledger, Context& ctx) {
            ledger.persist(ctx, Added{5}, [kept = ctx.sender()] { throw Error("behind"); });
          }).empty());
  });
}

TEST_CASE("188d the event cannot be stored: the ask fails with that") {
  under_seeds([](Scene& it) {
    it.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
      if (point != MemoryStore::Point::write) return {};
      return StoreError{Fault::io, "the disk is gone"};
    });
    CHECK(outcome(it, [](Ledger& ledger, Context& ctx) {
            ledger.persist(ctx, Added{5}, [] {});
          }).find("the disk is gone") != std::string::npos);
  });
}

}  // namespace actord::conformance::persistence
