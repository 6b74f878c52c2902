// SPDX-License-Identifier: Apache-2.0
//
// Circuit breakers: item 180k.
#include <actord/circuit_breaker.hpp>

#include <set>

#include "seeded_test.hpp"

namespace actord::conformance::breakers {

namespace {

// What the store does with a question of this number. It answers all others with their number.
constexpr int refused = -1;     // answers with a failure Stopping
constexpr int tolerable = -2;   // answers with a failure Resuming
constexpr int unanswered = -3;  // does not answer
constexpr int odd = -4;         // answers with a message of another type

struct Unlisted {};
ACTORD_MESSAGE(Unlisted, "play.Unlisted/1")

CircuitBreakerOptions options_of(std::uint32_t max_failures) {
  return {.max_failures = max_failures, .call_timeout = 50ms, .reset_timeout = 500ms};
}

bool is_even(const Reply<Answer>& reply) { return !reply || reply->n % 2 == 0; }
bool is_nothing(const Reply<Answer>& /*reply*/) { return false; }
bool is_any_failure(const Reply<Answer>& reply) { return !reply; }

// Makes calls through a breaker, and records how they end and what becomes of the breaker.
class Caller : public ScriptedActor {
 public:
  Caller(Context& ctx, SeededTest* test, const Script& script, const CircuitBreakerOptions& options)
      : ScriptedActor(ctx, test, script), breaker{"store", options} {
    breaker.on_open([this](Context&) { record("opened"); });
    breaker.on_half_open([this](Context&) { record("half-open"); });
    breaker.on_close([this](Context&) { record("closed"); });
    breaker.tolerate<Resuming>();
  }

  template <auto is_failure = nullptr>
  void ask(Context& ctx, int n, std::chrono::nanoseconds timeout = 1s) {
    ask_through<&Caller::breaker, &Caller::replied, is_failure>(*this, ctx, ctx.find("/user/store"),
                                                                Question{n}, timeout);
  }
  void replied(Context&, const Reply<Answer>& reply) {
    if (reply) return record("reply " + std::to_string(reply->n));
    const auto remaining = reply.failure().detail_as<std::chrono::nanoseconds>("remaining");
    record(std::string{reply.failure().type()} +
           (remaining ? ' ' + std::to_string(*remaining / 1ms) + " ms" : ""));
  }

  CircuitBreaker breaker;
};

using State = CircuitBreaker::State;
using Use = std::function<void(Caller&, Context&)>;

// One world with a store and a caller.
struct Scene {
  explicit Scene(SeededTest& t, const CircuitBreakerOptions& options = options_of(1)) : test(t) {
    test.spawn("store", {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
                 if (question.n == refused) ctx.reply_failure<Stopping>("boom");
                 else if (question.n == tolerable) ctx.reply_failure<Resuming>("no such entry");
                 else if (question.n == odd) ctx.reply(Note{question.n});
                 else if (question.n != unanswered) ctx.reply(Answer{question.n});
               }});
    caller = {test.world.spawn<Caller>("caller", &test, Script{}, options)};
  }

  void use(const Use& what) {
    test.perform(caller, [&](ScriptedActor& actor, Context& ctx) {
      what(static_cast<Caller&>(actor), ctx);
    });
  }
  void ask(int n) {
    use([n](Caller& me, Context& ctx) { me.ask(ctx, n); });
  }
  State state() {
    State state{};
    use([&](Caller& me, Context& ctx) { state = me.breaker.state(ctx); });
    return state;
  }
  std::uint32_t failures() {
    std::uint32_t failures = 0;
    use([&](Caller& me, Context&) { failures = me.breaker.failures(); });
    return failures;
  }
  std::chrono::nanoseconds remaining() {
    std::chrono::nanoseconds remaining{};
    use([&](Caller& me, Context& ctx) { remaining = me.breaker.remaining(ctx); });
    return remaining;
  }
  // What the caller has recorded since the last call of this function.
  std::string story() {
    const std::string life = test.life_of("caller");
    const std::size_t begin = std::exchange(told, life.size());
    return life.substr(std::min(begin + (begin == 0 ? 0 : 2), life.size()));
  }
  // Opens it by one failure and waits until it is half-open.
  void make_half_open() {
    ask(refused);
    test.world.advance(500ms);
    REQUIRE(state() == State::half_open);
    story();
  }

  SeededTest& test;
  Ref caller;
  std::size_t told = std::string_view{"new 0, pre_start 0"}.size();
};

void under_seeds(const std::function<void(Scene&)>& scene,
                 const CircuitBreakerOptions& options = options_of(1)) {
  conformance::under_seeds([&](SeededTest& test) {
    Scene it{test, options};
    scene(it);
  });
}

}  // namespace

// ---- closed -------------------------------------------------------------------------------------

TEST_CASE("180k a closed breaker lets calls through") {
  under_seeds([](Scene& it) {
    it.ask(7);
    CHECK(it.story() == "reply 7");
    it.use([](Caller& me, Context& ctx) {
      CHECK(me.breaker.call(ctx, [] { return 8; }) == 8);
      CHECK(me.breaker.allows(ctx));
    });
    CHECK(it.state() == State::closed);
    CHECK(it.remaining() == 0ms);
    CHECK(it.failures() == 0);
  });
}

TEST_CASE("180k max-failures failures in a row open the breaker") {
  under_seeds(
      [](Scene& it) {
        for (std::uint32_t n = 1; n < 5; ++n) {
          it.ask(refused);
          CHECK(it.failures() == n);
          CHECK(it.state() == State::closed);
        }
        it.story();
        it.ask(refused);
        CHECK(it.story() == "opened, actord::conformance::Stopping");
        CHECK(it.state() == State::open);
        CHECK(it.failures() == 5);
      },
      options_of(5));
}

TEST_CASE("180k a success sets the count of failures to 0") {
  under_seeds(
      [](Scene& it) {
        for (int i = 0; i < 4; ++i) it.ask(refused);
        CHECK(it.failures() == 4);
        it.ask(1);
        CHECK(it.failures() == 0);
        it.use([](Caller& me, Context& ctx) { me.breaker.failed(ctx); });
        CHECK(it.failures() == 1);
        it.use([](Caller& me, Context& ctx) { me.breaker.succeeded(ctx); });
        CHECK(it.failures() == 0);
        it.use([](Caller& me, Context& ctx) {
          CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw Stopping("boom"); }), Stopping);
          CHECK(me.breaker.failures() == 1);
          me.breaker.call(ctx, [] {});
          CHECK(me.breaker.failures() == 0);
        });
      },
      options_of(5));
}

TEST_CASE("180k a failure that is tolerated counts as a success") {
  under_seeds(
      [](Scene& it) {
        it.ask(refused);
        CHECK(it.failures() == 1);
        it.ask(tolerable);
        CHECK(it.failures() == 0);
        CHECK(it.story() == "actord::conformance::Stopping, actord::conformance::Resuming");
        it.use([](Caller& me, Context& ctx) {
          me.breaker.failed(ctx);
          CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw Resuming("no such entry"); }), Resuming);
          CHECK(me.breaker.failures() == 0);
          CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw 7; }), int);
          CHECK(me.breaker.failures() == 1);
        });
      },
      options_of(5));
}

TEST_CASE("180k what the caller calls a failure is one, and what it does not is none") {
  under_seeds(
      [](Scene& it) {
        it.use([](Caller& me, Context& ctx) { me.ask<&is_even>(ctx, 2); });
        CHECK(it.failures() == 1);
        it.use([](Caller& me, Context& ctx) { me.ask<&is_even>(ctx, 3); });
        CHECK(it.failures() == 0);
        it.use([](Caller& me, Context& ctx) { me.ask<&is_any_failure>(ctx, tolerable); });
        CHECK(it.failures() == 1);  // it goes before what is tolerated
        it.use([](Caller& me, Context& ctx) { me.ask<&is_nothing>(ctx, refused); });
        CHECK(it.failures() == 0);
        CHECK(it.story() ==
              "reply 2, reply 3, actord::conformance::Resuming, actord::conformance::Stopping");
        it.use([](Caller& me, Context& ctx) {
          const auto two = [] { return 2; };
          CHECK(me.breaker.call(ctx, two, [](int n) { return n % 2 == 0; }) == 2);
          CHECK(me.breaker.failures() == 1);
        });
      },
      options_of(5));
}

TEST_CASE("180k a call that takes longer than call-timeout has failed") {
  under_seeds([](Scene& it) {
    it.ask(unanswered);
    it.test.world.advance(49ms);
    CHECK(it.failures() == 0);
    it.test.world.advance(1ms);
    CHECK(it.story() == "opened, actord::AskTimeout");
    CHECK(it.failures() == 1);
  });
}

TEST_CASE("180k a shorter timeout of the call itself holds") {
  under_seeds([](Scene& it) {
    it.use([](Caller& me, Context& ctx) { me.ask(ctx, unanswered, 10ms); });
    it.test.world.advance(10ms);
    CHECK(it.story() == "opened, actord::AskTimeout");
    it.use([](Caller& me, Context& ctx) { CHECK_THROWS_AS(me.ask(ctx, 1, 0ms), Error); });
  });
}

TEST_CASE("180k a slow function has failed, and what it returns is there") {
  under_seeds([](Scene& it) {
    it.use([&](Caller& me, Context& ctx) {
      const auto slow = [&] {
        it.test.world.simulator().skip_to(ctx.now().count() + 51 * ms);
        return 7;
      };
      CHECK(me.breaker.call(ctx, slow) == 7);
      CHECK(me.breaker.state(ctx) == State::open);
    });
  });
}

TEST_CASE("180k a function that fails without a throw has failed") {
  under_seeds([](Scene& it) {
    it.use([&](Caller& me, Context& ctx) {
      me.breaker.call(ctx, [&] { ctx.fail<Resuming>("boom"); });
      CHECK(me.breaker.state(ctx) == State::open);
    });
  });
}

TEST_CASE("180k an actor that has stopped is a failure of the call") {
  under_seeds([](Scene& it) {
    it.test.stop(it.test.find("/user/store"));
    it.test.world.run();
    it.ask(7);
    CHECK(it.story() == "opened, actord::NoRecipient");
  });
}

TEST_CASE("180k an answer of another type is a failure of the call") {
  under_seeds([](Scene& it) {
    it.ask(odd);
    CHECK(it.story() == "opened, actord::UnexpectedReply");
  });
}

TEST_CASE("180k a call that cannot be made is no call") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.use([](Caller& me, Context& ctx) {
      const auto ask = [&] {
        ask_through<&Caller::breaker, &Caller::replied>(me, ctx, ctx.self(), Unlisted{}, 1s);
      };
      CHECK_THROWS_AS(ask(), UnlistedMessage);
      CHECK_THROWS_AS(me.ask(ctx, 1, 0s), Error);
      CHECK(me.breaker.allows(ctx));
    });
  });
}

TEST_CASE("180k a failure reported by hand opens the breaker") {
  under_seeds([](Scene& it) {
    it.use([](Caller& me, Context& ctx) { me.breaker.failed(ctx); });
    CHECK(it.story() == "opened");
    CHECK(it.state() == State::open);
    CHECK(it.failures() == 1);
  });
}

// ---- open ---------------------------------------------------------------------------------------

TEST_CASE("180k an open breaker fails a call at once and tells the remaining time") {
  under_seeds([](Scene& it) {
    it.ask(refused);
    it.test.world.advance(100ms);
    it.story();
    it.ask(7);
    CHECK(it.story() == "actord::CircuitBreakerOpen 400 ms");
    it.use([](Caller& me, Context& ctx) {
      CHECK_FALSE(me.breaker.allows(ctx));
      bool is_called = false;
      try {
        me.breaker.call(ctx, [&] { is_called = true; });
      } catch (const CircuitBreakerOpen& error) {
        me.record(error.what());
      }
      CHECK_FALSE(is_called);
      me.ask(ctx, 8);
      me.record("asked");  // the refusal comes later, as any answer does
    });
    CHECK(it.story() ==
          "circuit breaker \"store\": is open, asked, actord::CircuitBreakerOpen 400 ms");
    CHECK(it.remaining() == 400ms);
    CHECK(it.test.world.events("deadletter").empty());
    CHECK(it.test.world.events("message.unhandled").empty());
  });
}

TEST_CASE("180k an open breaker stays open whatever is reported") {
  under_seeds([](Scene& it) {
    it.ask(refused);
    it.use([](Caller& me, Context& ctx) {
      me.breaker.succeeded(ctx);
      CHECK(me.breaker.state(ctx) == State::open);
      me.breaker.failed(ctx);
      CHECK(me.breaker.state(ctx) == State::open);
      CHECK(me.breaker.remaining(ctx) == 500ms);
    });
  });
}

TEST_CASE("180k calls that began before it opened change nothing when they end") {
  under_seeds(
      [](Scene& it) {
        it.use([](Caller& me, Context& ctx) {
          for (const int n : {refused, refused, refused, 7}) me.ask(ctx, n);
          me.ask(ctx, unanswered);
        });
        CHECK(it.state() == State::open);
        CHECK(it.failures() == 2);
        it.test.world.advance(30ms);  // half-open before the last of them ends
        CHECK(it.state() == State::half_open);
        it.test.world.advance(20ms);
        CHECK(it.test.count("caller actord::AskTimeout") == 1);
        CHECK(it.state() == State::half_open);
        CHECK(it.test.count("caller opened") == 1);
      },
      {.max_failures = 2, .call_timeout = 50ms, .reset_timeout = 30ms});
}

TEST_CASE("180k after the reset timeout an open breaker is half-open") {
  under_seeds([](Scene& it) {
    it.ask(refused);
    it.test.world.advance(499ms);
    CHECK(it.state() == State::open);
    it.test.world.advance(1ms);
    it.story();
    CHECK(it.state() == State::half_open);
    CHECK(it.story() == "half-open");
    CHECK(it.remaining() == 0ms);
  });
}

TEST_CASE("180k each time it opens again the reset timeout is longer, up to the limit") {
  const CircuitBreakerOptions growing{.max_failures = 1,
                                      .call_timeout = 50ms,
                                      .reset_timeout = 100ms,
                                      .max_reset_timeout = 1s,
                                      .exponential_backoff = 3};
  under_seeds(
      [](Scene& it) {
        for (const auto expected : {100ms, 300ms, 900ms, 900ms}) {
          it.ask(refused);
          CHECK(it.remaining() == expected);
          it.test.world.advance(expected);
        }
        it.ask(7);
        CHECK(it.state() == State::closed);
        it.ask(refused);
        CHECK(it.remaining() == 100ms);  // a success sets it back
      },
      growing);
}

TEST_CASE("180k the growth of the reset timeout has a random part") {
  const CircuitBreakerOptions random{.max_failures = 1,
                                     .call_timeout = 50ms,
                                     .reset_timeout = 100ms,
                                     .exponential_backoff = 2,
                                     .random_factor = 0.5};
  std::set<std::chrono::nanoseconds> seen;
  under_seeds(
      [&](Scene& it) {
        it.ask(refused);
        CHECK(it.remaining() == 100ms);
        it.test.world.advance(100ms);
        it.ask(refused);
        const auto remaining = it.remaining();
        CHECK(remaining >= 200ms);
        CHECK(remaining < 300ms);
        seen.insert(remaining);
      },
      random);
  CHECK(seen.size() > 1);
}

// ---- half-open ----------------------------------------------------------------------------------

TEST_CASE("180k half-open the success of the tried call closes the breaker") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.ask(7);
    CHECK(it.story() == "closed, reply 7");
    CHECK(it.state() == State::closed);
    CHECK(it.failures() == 0);
    it.make_half_open();
    it.use([](Caller& me, Context& ctx) { CHECK(me.breaker.call(ctx, [] { return 8; }) == 8); });
    CHECK(it.story() == "closed");
    it.make_half_open();
    it.use([](Caller& me, Context& ctx) { me.breaker.succeeded(ctx); });
    CHECK(it.story() == "closed");
  });
}

TEST_CASE("180k half-open a failure that counts as a success closes the breaker") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.use([](Caller& me, Context& ctx) { me.ask<&is_nothing>(ctx, refused); });
    CHECK(it.story() == "closed, actord::conformance::Stopping");
    it.make_half_open();
    it.ask(tolerable);
    CHECK(it.story() == "closed, actord::conformance::Resuming");
  });
}

TEST_CASE("180k half-open the failure of the tried call opens the breaker again") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.ask(refused);
    CHECK(it.story() == "opened, actord::conformance::Stopping");
    CHECK(it.remaining() == 500ms);
    it.test.world.advance(500ms);
    it.use([](Caller& me, Context& ctx) { me.ask<&is_even>(ctx, 2); });
    CHECK(it.story() == "half-open, opened, reply 2");
    it.test.world.advance(500ms);
    it.use([](Caller& me, Context& ctx) { me.breaker.failed(ctx); });
    CHECK(it.story() == "half-open, opened");
    it.test.world.advance(500ms);
    it.use([](Caller& me, Context& ctx) {
      CHECK_THROWS_AS(me.breaker.call(ctx, [] { throw Stopping("boom"); }), Stopping);
    });
    CHECK(it.story() == "half-open, opened");
  });
}

TEST_CASE("180k half-open a tried call that is slow opens the breaker again") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.ask(unanswered);
    it.test.world.advance(50ms);
    CHECK(it.story() == "opened, actord::AskTimeout");
    it.test.world.advance(500ms);
    it.use([](Caller& me, Context& ctx) { CHECK(me.breaker.allows(ctx)); });  // never reported
    it.test.world.advance(49ms);
    CHECK(it.state() == State::half_open);
    it.test.world.advance(1ms);
    CHECK(it.state() == State::open);
    CHECK(it.remaining() == 500ms);
  });
}

TEST_CASE("180k half-open other calls fail at once while one is tried") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.ask(unanswered);
    it.ask(7);
    CHECK(it.story() == "actord::CircuitBreakerOpen 0 ms");
    it.use([](Caller& me, Context& ctx) {
      CHECK_FALSE(me.breaker.allows(ctx));
      CHECK_THROWS_WITH_AS(me.breaker.call(ctx, [] {}),
                           "circuit breaker \"store\": waits for the call that it tries",
                           CircuitBreakerOpen);
    });
    CHECK(it.state() == State::half_open);
  });
}

// ---- actors -------------------------------------------------------------------------------------

TEST_CASE("180k work that blocks goes through a breaker, too") {
  under_seeds([](Scene& it) {
    const auto pipe = [&](int n) {
      it.use([n](Caller& me, Context& ctx) {
        const auto work = [n] {
          if (n < 0) throw Stopping("no disk");
          return Answer{n};
        };
        pipe_through<&Caller::breaker, &Caller::replied>(me, ctx, work, 1s);
      });
    };
    pipe(7);
    pipe(-1);
    pipe(8);
    CHECK(it.story() ==
          "reply 7, opened, actord::conformance::Stopping, actord::CircuitBreakerOpen 500 ms");
    it.test.world.advance(500ms);
    pipe(9);
    CHECK(it.story() == "half-open, closed, reply 9");
  });
}

TEST_CASE("180k each change of state is an event") {
  under_seeds([](Scene& it) {
    it.make_half_open();
    it.ask(7);
    const auto events = it.test.world.events("circuit-breaker.changed");
    REQUIRE(events.size() == 3);
    CHECK(events[0].field("breaker.name") == "store");
    CHECK(events[0].field("breaker.state") == "open");
    CHECK(events[0].field("breaker.failures") == "1");
    CHECK(events[0].field("breaker.remaining") == "500000000");
    CHECK(events[1].field("breaker.state") == "half-open");
    CHECK(events[2].field("breaker.state") == "closed");
    CHECK(events[2].field("actor.path") == "/user/caller");
  });
}

TEST_CASE("180k a restart of the actor makes a new breaker") {
  under_seeds([](Scene& it) {
    it.use([](Caller& me, Context& ctx) { me.ask(ctx, unanswered); });
    it.ask(refused);
    CHECK(it.state() == State::open);
    it.use([](Caller& me, Context& ctx) { me.ask(ctx, 7); });
    it.test.fail<Restarting>(it.caller);
    CHECK(it.state() == State::closed);
    it.test.world.advance(50ms);  // the first question is not the new breaker's
    CHECK(it.failures() == 0);
    CHECK(it.test.count("caller actord::AskTimeout") == 0);
  });
}

TEST_CASE("180k options that are not allowed are refused") {
  const auto error = [](const CircuitBreakerOptions& options) {
    try {
      CircuitBreaker{"store", options};
    } catch (const Error& refusal) {
      return std::string{refusal.what()};
    }
    return std::string{};
  };
  const std::string name = "circuit breaker \"store\": ";
  CHECK(error({.max_failures = 0}) == name + "max_failures must be at least 1");
  CHECK(error({.call_timeout = 0s}) == name + "call_timeout must be longer than 0");
  CHECK(error({.reset_timeout = 0s}) == name + "reset_timeout must be longer than 0");
  CHECK(error({.reset_timeout = 2h}) == name + "max_reset_timeout is shorter than reset_timeout");
  CHECK(error({.exponential_backoff = 0.5}) == name + "exponential_backoff must be at least 1");
  CHECK(error({.random_factor = 1.5}) == name + "random_factor must lie between 0 and 1");
  CHECK(error({}).empty());
}

}  // namespace actord::conformance::breakers
