// SPDX-License-Identifier: Apache-2.0
//
// Circuit breakers that actors share: item 182.
#include <actord/shared_circuit_breaker.hpp>

#include "isolation_support.hpp"

namespace actord::conformance::shared_breakers {

namespace {

// What the store does with a question of this number. It answers all others with their number.
constexpr int refused = -1;     // answers with a failure Stopping
constexpr int unanswered = -2;  // does not answer

system::BreakerSettings settings_of(std::uint32_t max_failures) {
  return {.max_failures = max_failures, .call_timeout = 50ms, .reset_timeout = 500ms};
}

// Makes calls through a breaker that it shares, and records how they end.
class Caller : public ScriptedActor {
 public:
  Caller(Context& ctx, SeededTest* test, const Script& script, std::string breaker_name)
      : ScriptedActor(ctx, test, script), breaker{std::move(breaker_name)} {
    breaker.tolerate<Resuming>();
  }

  void ask(Context& ctx, int n) {
    ask_through<&Caller::breaker, &Caller::replied>(*this, ctx, ctx.find("/user/store"),
                                                    Question{n}, 1s);
  }
  void replied(Context&, const Reply<Answer>& reply) {
    if (reply) return record("reply " + std::to_string(reply->n));
    const auto remaining = reply.failure().detail_as<std::chrono::nanoseconds>("remaining");
    record(std::string{reply.failure().type()} +
           (remaining ? ' ' + std::to_string(*remaining / 1ms) + " ms" : ""));
  }

  SharedCircuitBreaker breaker;
};

using State = SharedCircuitBreaker::State;
using Use = std::function<void(Caller&, Context&)>;

void configure_breakers(SeededTest& test, const system::BreakersByName& breakers) {
  system::LiveSettings live = test.world.system().settings().live;
  live.circuit_breakers = breakers;
  test.world.system().set_live(live);
}

// One world with a store and three callers, of which "other" uses another breaker.
struct Scene {
  Scene(SeededTest& t, const system::BreakerSettings& standard) : test(t) {
    configure_breakers(test, {standard, {}});
    test.spawn("store", {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
                 if (question.n == refused) ctx.reply_failure<Stopping>("boom");
                 else if (question.n != unanswered) ctx.reply(Answer{question.n});
               }});
    one = caller("one", "store");
    two = caller("two", "store");
    other = caller("other", "mail");
  }
  Ref caller(const std::string& name, const std::string& breaker) {
    return {test.world.spawn<Caller>(name, &test, Script{}, breaker)};
  }

  void use(Ref whom, const Use& what) {
    test.perform(
        whom, [&](ScriptedActor& actor, Context& ctx) { what(static_cast<Caller&>(actor), ctx); });
  }
  void ask(Ref whom, int n) {
    use(whom, [n](Caller& me, Context& ctx) { me.ask(ctx, n); });
  }
  State state(Ref whom) {
    State state{};
    use(whom, [&](Caller& me, Context& ctx) { state = me.breaker.state(ctx); });
    return state;
  }
  std::uint32_t failures(Ref whom) {
    std::uint32_t failures = 0;
    use(whom, [&](Caller& me, Context& ctx) { failures = me.breaker.failures(ctx); });
    return failures;
  }
  std::chrono::nanoseconds remaining(Ref whom) {
    std::chrono::nanoseconds remaining{};
    use(whom, [&](Caller& me, Context& ctx) { remaining = me.breaker.remaining(ctx); });
    return remaining;
  }
  // How the last call of that caller has ended.
  std::string last(const std::string& name) {
    const std::string life = test.life_of(name);
    return life.substr(life.rfind(", ") + 2);
  }
  system::BreakerReport report(const std::string& name) {
    const std::chrono::nanoseconds now{test.world.system().now_ns()};
    for (auto& each : test.world.system().breakers().reports(now)) {
      if (each.name == name) return each;
    }
    FAIL("there is no breaker of that name");
    return {};
  }

  SeededTest& test;
  Ref one, two, other;
};

void under_seeds(const std::function<void(Scene&)>& scene,
                 const system::BreakerSettings& standard = settings_of(1)) {
  conformance::under_seeds([&](SeededTest& test) {
    Scene it{test, standard};
    scene(it);
  });
}

}  // namespace

// ---- 182a ---------------------------------------------------------------------------------------

TEST_CASE("182a failures of all actors count, and open the breaker for all of them") {
  under_seeds(
      [](Scene& it) {
        it.ask(it.one, refused);
        it.ask(it.two, refused);
        CHECK(it.failures(it.one) == 2);
        CHECK(it.state(it.two) == State::closed);
        it.ask(it.one, refused);
        CHECK(it.state(it.two) == State::open);
        it.ask(it.two, 7);
        CHECK(it.last("two") == "actord::CircuitBreakerOpen 500 ms");
        it.use(it.two, [](Caller& me, Context& ctx) {
          bool is_called = false;
          CHECK_THROWS_WITH_AS(me.breaker.call(ctx, [&] { is_called = true; }),
                               "circuit breaker \"store\": is open", CircuitBreakerOpen);
          CHECK_FALSE(is_called);
          CHECK_FALSE(me.breaker.allows(ctx));
        });
      },
      settings_of(3));
}

TEST_CASE("182a a success of one actor sets the count of all to 0") {
  under_seeds(
      [](Scene& it) {
        it.ask(it.one, refused);
        it.ask(it.one, refused);
        it.ask(it.two, 7);
        CHECK(it.last("two") == "reply 7");
        CHECK(it.failures(it.one) == 0);
        it.use(it.one, [](Caller& me, Context& ctx) {
          CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw Stopping("boom"); }), Stopping);
          CHECK(me.breaker.failures(ctx) == 1);
          CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw Resuming("no such entry"); }), Resuming);
          CHECK(me.breaker.failures(ctx) == 0);
          CHECK(me.breaker.call(
                    ctx, [] { return 2; }, [](int n) { return n == 2; }) == 2);
          CHECK(me.breaker.failures(ctx) == 1);
        });
      },
      settings_of(3));
}

TEST_CASE("182a a breaker of another name is another one") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    CHECK(it.state(it.one) == State::open);
    CHECK(it.state(it.other) == State::closed);
    it.ask(it.other, 7);
    CHECK(it.last("other") == "reply 7");
  });
}

TEST_CASE("182a half-open, one call of one actor is tried, and its success closes it for all") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(500ms);
    CHECK(it.state(it.two) == State::half_open);
    it.use(it.one, [](Caller& me, Context& ctx) { CHECK(me.breaker.allows(ctx)); });
    it.ask(it.two, 7);
    CHECK(it.last("two") == "actord::CircuitBreakerOpen 0 ms");
    it.use(it.two, [](Caller& me, Context& ctx) {
      CHECK_THROWS_WITH_AS(me.breaker.call(ctx, [] {}),
                           "circuit breaker \"store\": waits for the call that it tries",
                           CircuitBreakerOpen);
    });
    it.use(it.one, [](Caller& me, Context& ctx) { me.breaker.succeeded(ctx); });
    CHECK(it.state(it.two) == State::closed);
    it.ask(it.two, 8);
    CHECK(it.last("two") == "reply 8");
  });
}

TEST_CASE("182a the failure of the call that is tried opens it for all, for the next delay") {
  auto growing = settings_of(1);
  growing.exponential_backoff = 2;
  under_seeds(
      [](Scene& it) {
        it.ask(it.one, refused);
        it.test.world.advance(500ms);
        it.ask(it.two, refused);
        CHECK(it.state(it.one) == State::open);
        CHECK(it.remaining(it.one) == 1s);
      },
      growing);
}

TEST_CASE("182a a call of another actor that began before does not decide about the tried one") {
  under_seeds([](Scene& it) {
    it.use(it.two, [](Caller& me, Context& ctx) { CHECK(me.breaker.allows(ctx)); });
    it.ask(it.one, refused);
    it.test.world.advance(500ms);
    it.use(it.one, [](Caller& me, Context& ctx) { CHECK(me.breaker.allows(ctx)); });
    it.use(it.two, [](Caller& me, Context& ctx) { me.breaker.failed(ctx); });
    CHECK(it.state(it.two) == State::half_open);
    it.use(it.one, [](Caller& me, Context& ctx) { me.breaker.failed(ctx); });
    CHECK(it.state(it.two) == State::open);
  });
}

// ---- 182b ---------------------------------------------------------------------------------------

TEST_CASE("182b a breaker outlives restarts and the end of the actors that use it") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.fail<Restarting>(it.one);
    CHECK(it.state(it.one) == State::open);
    it.test.stop(it.one);
    it.test.stop(it.two);
    it.test.world.run();
    CHECK(it.state(it.caller("three", "store")) == State::open);
  });
}

TEST_CASE("182b a call that is tried by an actor that has ended has failed after call-timeout") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(500ms);
    it.ask(it.one, unanswered);
    it.test.stop(it.one);
    it.test.world.run();
    CHECK(it.state(it.two) == State::half_open);
    it.test.world.advance(49ms);
    it.use(it.two, [](Caller& me, Context& ctx) { CHECK_FALSE(me.breaker.allows(ctx)); });
    it.test.world.advance(1ms);
    CHECK(it.state(it.two) == State::open);
    it.test.world.advance(500ms);
    it.ask(it.two, 7);
    CHECK(it.last("two") == "reply 7");
  });
}

TEST_CASE("182b a tried call whose end is reported after call-timeout has failed") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(500ms);
    it.use(it.one, [](Caller& me, Context& ctx) { CHECK(me.breaker.allows(ctx)); });
    it.test.world.advance(50ms);
    it.use(it.one, [](Caller& me, Context& ctx) { me.breaker.succeeded(ctx); });
    CHECK(it.remaining(it.two) == 500ms);
  });
}

// ---- 182c ---------------------------------------------------------------------------------------

TEST_CASE("182c an actor in a host process shares the breaker of the actors in actord") {
  conformance::under_seeds(
      [](SeededTest& test) {
        configure_breakers(test, {settings_of(2), {}});
        const Ref inside = test.find("/user/inside"), outside = test.find("/user/outside");
        const auto fail_in = [&](Ref whom) {
          test.perform(whom, [](ScriptedActor&, Context& ctx) {
            SharedCircuitBreaker breaker{"store"};
            CHECK(breaker.allows(ctx));
            breaker.failed(ctx);
          });
        };
        const auto check = [&](State state, std::uint32_t failures, std::int64_t remaining_ms) {
          for (const Ref whom : {inside, outside}) {
            test.perform(whom, [&](ScriptedActor&, Context& ctx) {
              SharedCircuitBreaker breaker{"store"};
              CHECK(breaker.state(ctx) == state);
              CHECK(breaker.failures(ctx) == failures);
              CHECK(breaker.remaining(ctx) == remaining_ms * 1ms);
            });
          }
        };
        fail_in(inside);
        check(State::closed, 1, 0);
        fail_in(outside);
        check(State::open, 2, 500);
        crash(test, outside);
        check(State::open, 2, 500);
        test.world.advance(500ms);
        test.perform(outside, [](ScriptedActor&, Context& ctx) {
          SharedCircuitBreaker breaker{"store"};
          CHECK(breaker.call(ctx, [] { return 7; }) == 7);
        });
        check(State::closed, 0, 0);
        test.perform(outside, [](ScriptedActor&, Context& ctx) {
          SharedCircuitBreaker wrong{"a b"};
          CHECK_THROWS_WITH_AS(wrong.allows(ctx), system::Breakers::name_rule.data(), Error);
        });
      },
      isolated({in_actord("inside", {}), in_process("outside")}));
}

// ---- 182d ---------------------------------------------------------------------------------------

TEST_CASE("182d a breaker has the settings of its name, or else those of default") {
  under_seeds(
      [](Scene& it) {
        configure_breakers(it.test, {settings_of(3), {{"store", settings_of(2)}}});
        for (int i = 0; i < 2; ++i) {
          it.ask(it.one, refused);
          it.ask(it.other, refused);
        }
        CHECK(it.state(it.one) == State::open);
        CHECK(it.state(it.other) == State::closed);
        it.ask(it.other, refused);
        CHECK(it.state(it.other) == State::open);
      },
      settings_of(1));
}

TEST_CASE("182d a breaker that is named is there before an actor uses it") {
  under_seeds([](Scene& it) {
    CHECK(it.test.world.system().breakers().reports({}).empty());
    configure_breakers(it.test, {settings_of(1), {{"mail", settings_of(1)}}});
    CHECK(it.report("mail").state == State::closed);
  });
}

TEST_CASE("182d other settings: the open breaker stays open as long as before, and then no more") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(100ms);
    auto other = settings_of(2);
    other.reset_timeout = 3s;
    configure_breakers(it.test, {settings_of(1), {{"store", other}}});
    CHECK(it.remaining(it.one) == 400ms);
    it.test.world.advance(400ms);
    it.ask(it.one, 7);
    CHECK(it.state(it.one) == State::closed);
    it.ask(it.one, refused);
    CHECK(it.state(it.one) == State::closed);
    it.ask(it.one, refused);
    CHECK(it.remaining(it.one) == 3s);
    configure_breakers(it.test, {settings_of(1), {}});  // the section is gone
    it.test.world.advance(3s);
    it.ask(it.one, refused);
    CHECK(it.remaining(it.one) == 500ms);
  });
}

TEST_CASE("182d a new call-timeout holds for calls that begin after it") {
  under_seeds([](Scene& it) {
    it.ask(it.one, unanswered);
    auto quick = settings_of(1);
    quick.call_timeout = 10ms;
    configure_breakers(it.test, {quick, {}});
    it.test.world.advance(49ms);
    CHECK(it.state(it.one) == State::closed);
    it.test.world.advance(1ms);
    CHECK(it.state(it.one) == State::open);
    it.test.world.advance(500ms);
    it.ask(it.two, unanswered);
    it.test.world.advance(10ms);
    CHECK(it.last("two") == "actord::AskTimeout");
  });
}

// ---- 182e ---------------------------------------------------------------------------------------

TEST_CASE("182e each change is an event that names the breaker and the actor") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(500ms);
    it.ask(it.two, 7);
    const auto events = it.test.world.events("breaker.changed");
    REQUIRE(events.size() == 3);
    CHECK(events[0].field("breaker.name") == "store");
    CHECK(events[0].field("breaker.state") == "open");
    CHECK(events[0].field("breaker.failures") == "1");
    CHECK(events[0].field("breaker.remaining") == "500000000");
    CHECK(events[0].field("actor.path") == "/user/one");
    CHECK(events[1].field("breaker.state") == "half-open");
    CHECK(events[1].field("breaker.remaining") == "0");
    CHECK(events[2].field("breaker.state") == "closed");
    CHECK(events[2].field("breaker.failures") == "0");
    CHECK(events[2].field("actor.path") == "/user/two");
  });
}

TEST_CASE("182e an operator is told what each breaker is and has done") {
  under_seeds([](Scene& it) {
    it.ask(it.one, refused);
    it.test.world.advance(100ms);
    it.ask(it.one, 7);
    it.ask(it.two, 7);
    auto report = it.report("store");
    CHECK(report.state == State::open);
    CHECK(report.failures == 1);
    CHECK(report.remaining == 400ms);
    CHECK(report.refused == 2);
    CHECK(report.failed == 1);
    CHECK(report.entered == std::array<std::uint64_t, 3>{0, 1, 0});
    it.test.world.advance(1s);
    report = it.report("store");
    CHECK(report.state == State::open);  // a look from outside changes nothing
    CHECK(report.remaining == 0ms);
    it.ask(it.two, 7);
    report = it.report("store");
    CHECK(report.state == State::closed);
    CHECK(report.failures == 0);
    CHECK(report.entered == std::array<std::uint64_t, 3>{1, 1, 1});
    CHECK(it.test.world.system().breakers().reports({}).size() == 1);
  });
}

// ---- 182f ---------------------------------------------------------------------------------------

TEST_CASE("182f a name that is none is an error of the call, and so is one too many") {
  under_seeds([](Scene& it) {
    it.use(it.one, [](Caller&, Context& ctx) {
      for (const std::string& name : {std::string{}, std::string{"a b"}, std::string(101, 'a')}) {
        SharedCircuitBreaker wrong{name};
        CHECK_THROWS_WITH_AS(wrong.allows(ctx), system::Breakers::name_rule.data(), Error);
      }
      for (std::size_t i = 0; i < system::Breakers::breakers_max; ++i) {
        SharedCircuitBreaker breaker{"of-entry." + std::to_string(i)};
        CHECK(breaker.allows(ctx));
      }
      SharedCircuitBreaker late{"late"}, first{"of-entry.0"};
      CHECK_THROWS_AS(late.allows(ctx), Error);
      CHECK(first.allows(ctx));
    });
    configure_breakers(it.test, {settings_of(1), {{"late", settings_of(1)}}});
    CHECK(it.test.world.system().breakers().reports({}).size() == system::Breakers::breakers_max);
  });
}

}  // namespace actord::conformance::shared_breakers
