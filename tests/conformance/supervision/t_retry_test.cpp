// SPDX-License-Identifier: Apache-2.0
//
// Asks and work that are repeated after failures, and rate limiters.
#include <actord/rate_limiter.hpp>
#include <actord/retry.hpp>

#include <atomic>

#include "seeded_test.hpp"

namespace actord::conformance::retries {

namespace {

// 100 ms, 200 ms, 400 ms …, without a random part.
RetryOptions options_of(std::uint32_t attempts) {
  return {.attempts = attempts, .delay = 100ms, .max_delay = 10s, .random_factor = 0};
}

// Answers with a failure Stopping so many times, then with the number of the question.
Script failing(int& times, int& questions) {
  return {.question = [&](ScriptedActor&, Context& ctx, const Question& question) {
    ++questions;
    if (times-- > 0) ctx.reply_failure<Stopping>("boom " + std::to_string(questions));
    else ctx.reply(Answer{question.n});
  }};
}

Strategy all_together() { return actord::all_for_one(); }

// One world with an actor that fails at first, and one that asks it.
struct Scene {
  Scene(SeededTest& t, int failures) : times(failures), test(t) {
    store = test.spawn("store", failing(times, questions));
    asker = test.spawn("asker");
  }
  void ask(const RetryOptions& options) {
    test.perform(asker, [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(ctx, store, Question{7}, 1s, options);
    });
  }
  // Whether the asker has a helper, which makes the attempts.
  bool has_helpers() { return test.children_and_helpers(asker).size() != 0; }

  int times, questions = 0;
  SeededTest& test;
  Ref store, asker;
};

void under_seeds(int failures, const std::function<void(Scene&)>& scene) {
  conformance::under_seeds([&](SeededTest& test) {
    Scene it{test, failures};
    scene(it);
  });
}

}  // namespace

TEST_CASE("retry: the first attempt that succeeds is the answer") {
  under_seeds(2, [](Scene& it) {
    it.ask(options_of(5));
    CHECK(it.questions == 1);
    it.test.world.advance(99ms);
    CHECK(it.questions == 1);
    it.test.world.advance(1ms);
    CHECK(it.questions == 2);
    it.test.world.advance(199ms);
    CHECK(it.questions == 2);
    it.test.world.advance(1ms);
    CHECK(it.questions == 3);
    CHECK(it.test.count("asker reply 7") == 1);
    CHECK_FALSE(it.has_helpers());
    it.test.world.advance(1h);
    CHECK(it.questions == 3);
  });
}

TEST_CASE("retry: if all attempts fail, the last failure is the answer") {
  under_seeds(100, [](Scene& it) {
    it.ask(options_of(3));
    it.test.world.advance(1h);
    CHECK(it.questions == 3);
    CHECK(it.test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::conformance::Stopping: boom 3");
    CHECK(it.test.world.events("actor.failed").empty());
    CHECK(it.test.world.events("deadletter").empty());
  });
}

TEST_CASE("retry: an attempt that is not answered in time is a failure") {
  under_seeds(0, [](Scene& it) {
    const Ref silent = it.test.spawn(
        "silent", {.question = [&](ScriptedActor&, Context&, const Question&) { ++it.questions; }});
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(
          ctx, silent, Question{7}, 1s,
          {.attempts = 2, .delay = 100ms, .max_delay = 100ms, .random_factor = 0});
    });
    it.test.world.advance(1s + 100ms);
    CHECK(it.questions == 2);
    it.test.world.advance(1s);
    CHECK(it.test.life_of("asker").find("refused actord::AskTimeout: play.Question/1 to "
                                        "/user/silent") != std::string::npos);
  });
}

TEST_CASE("retry: a failure that is not worth it ends the attempts") {
  under_seeds(100, [](Scene& it) {
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(
          ctx, it.store, Question{7}, 1s, options_of(9),
          [](const Failure& failure) { return failure.what() != "boom 2"; });
    });
    it.test.world.advance(1h);
    CHECK(it.questions == 2);
    CHECK(it.test.count("asker refused actord::conformance::Stopping: boom 2") == 1);
  });
}

TEST_CASE("retry: a restart of the actor ends the attempts") {
  under_seeds(100, [](Scene& it) {
    it.ask(options_of(9));
    it.test.world.advance(100ms);
    CHECK(it.questions == 2);
    it.test.fail<Restarting>(it.asker);
    it.test.world.advance(1h);
    CHECK(it.questions == 2);
    CHECK(it.test.life_of("asker").find("refused") == std::string::npos);
  });
}

TEST_CASE("retry: each attempt runs the work that blocks again") {
  under_seeds(0, [](Scene& it) {
    std::atomic<int> runs = 0;
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      const auto work = [&runs] {
        if (++runs < 3) throw Stopping("no disk");
        return Answer{runs};
      };
      retry_pipe<&ScriptedActor::asked>(ctx, work, 1s, options_of(5));
    });
    it.test.world.advance(300ms);
    CHECK(it.test.count("asker reply 3") == 1);
    CHECK(it.test.world.events("actor.failed").empty());
  });
}

TEST_CASE("retry: what an attempt throws is the answer") {
  under_seeds(0, [](Scene& it) {
    struct Bad {
      Bad() = default;
      Bad(const Bad& other) : copies(other.copies + 1) {
        if (copies > 3) throw Stopping("cannot be copied");
      }
      Answer operator()() const { return {copies}; }
      int copies = 0;
    };
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      retry_pipe<&ScriptedActor::asked>(ctx, Bad{}, 1s, options_of(5));
    });
    CHECK(it.test.life_of("asker") ==
          "new 0, pre_start 0, refused actord::conformance::Stopping: cannot be copied");
    CHECK_FALSE(it.has_helpers());
  });
}

TEST_CASE("retry: the longest delays never end, and options that are not allowed are refused") {
  under_seeds(100, [](Scene& it) {
    constexpr auto for_ever = std::chrono::nanoseconds::max();
    it.ask({.attempts = 4'000'000'000, .delay = for_ever, .max_delay = for_ever});
    it.test.world.advance(24h);
    CHECK(it.questions == 1);
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      const auto error = [&](const RetryOptions& options) {
        try {
          retry_ask<&ScriptedActor::asked>(ctx, it.store, Question{7}, 1s, options);
        } catch (const Error& refusal) {
          return std::string{refusal.what()};
        }
        return std::string{};
      };
      CHECK(error({.attempts = 0}) == "retry: attempts must be at least 1");
      CHECK(error({.delay = -1ns}) == "retry: delay must not be negative");
      CHECK(error({.delay = 11s}) == "retry: max_delay is shorter than delay");
      CHECK(error({.exponential_backoff = 0}) == "retry: exponential_backoff must be at least 1");
      CHECK(error({.random_factor = 2}) == "retry: random_factor must lie between 0 and 1");
      CHECK(ctx.all_children().empty());
    });
    CHECK(it.has_helpers());
  });
}

TEST_CASE("186a the helper that retries is no child, and has none of the names of children") {
  conformance::under_seeds([](SeededTest& test) {
    int times = 1, questions = 0;
    const Ref store = test.spawn("store", failing(times, questions));
    int ended = 0;
    const Ref boss = test.spawn<Boss<&all_together>>(
        "boss", {.child_terminated = [&](ScriptedActor&, Context&, Ref) { ++ended; }});
    const Ref child = test.spawn_under(boss, "child");
    test.perform(boss, [&](ScriptedActor& self, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(ctx, store, Question{7}, 1s, options_of(3));
      CHECK(ctx.children() == std::vector<Ref>{child});
      CHECK(ctx.all_children().size() == 1);
      const Ref next = ctx.spawn<ScriptedActor>({}, &self.test(), Script{});
      CHECK(ctx.path(next) == "/user/boss/$a");
      ctx.stop_children();
    });
    CHECK(ended == 2);
    const Ref sibling = test.spawn_under(boss, "sibling");
    test.fail<Restarting>(sibling);
    CHECK(test.count("sibling new 1") == 1);
    test.world.advance(1s);
    CHECK(questions == 2);
    CHECK(test.count("boss reply 7") == 1);
    CHECK(ended == 2);
    CHECK(test.children_and_helpers(boss).size() == 1);
    test.stop(boss);  // what it counts is kept here
    test.world.run();
    CHECK(ended == 3);
  });
}

TEST_CASE("186c the helper that retries ends with the incarnation, though children survive it") {
  conformance::under_seeds([](SeededTest& test) {
    int times = 100, questions = 0;
    const Ref store = test.spawn("store", failing(times, questions));
    const Ref boss = test.spawn("boss", keeping_children());
    const Ref child = test.spawn_under(boss, "child");
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(ctx, store, Question{7}, 1s, options_of(100));
    });
    CHECK(test.children_and_helpers(boss).size() == 2);
    test.fail<Restarting>(boss);
    CHECK(test.is_alive(child));
    CHECK(test.children_and_helpers(boss).size() == 1);
    test.world.advance(1h);
    CHECK(questions == 1);
  });
}

TEST_CASE("retry: what the predicate throws is the answer") {
  under_seeds(100, [](Scene& it) {
    it.test.perform(it.asker, [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(ctx, it.store, Question{7}, 1s, options_of(9),
                                       [](const Failure&) -> bool { throw Stopping("no idea"); });
    });
    CHECK(it.questions == 1);
    CHECK(it.test.count("asker refused actord::conformance::Stopping: no idea") == 1);
    CHECK_FALSE(it.has_helpers());
  });
}

TEST_CASE("retry: delays grow to the longest one and have a random part") {
  const RetryOptions options{
      .delay = 100ms, .max_delay = 1s, .exponential_backoff = 2, .random_factor = 0.5};
  CHECK(detail::retry_delay(options, 1, 0) == 100ms);
  CHECK(detail::retry_delay(options, 4, 0) == 800ms);
  CHECK(detail::retry_delay(options, 5, 0) == 1s);
  CHECK(detail::retry_delay(options, 4'000'000'000, 0) == 1s);
  CHECK(detail::retry_delay(options, 1, 0.5) == 125ms);
  CHECK(detail::retry_delay(options, 5, 0.5) == 1250ms);
  CHECK(detail::retry_delay({.delay = 0ms, .max_delay = 0ms}, 2'000'000'000, 0.5) == 0ms);
  const RetryOptions fixed{.delay = 100ms, .exponential_backoff = 1, .random_factor = 0};
  CHECK(detail::retry_delay(fixed, 7, 0.9) == 100ms);
}

// ---- rate limiters ------------------------------------------------------------------------------

namespace {

// Sets aside each note for which there is no token, until there is one.
class Limited : public ScriptedActor {
 public:
  Limited(Context& ctx, SeededTest* test, const Script& script, const RateLimiterOptions& options)
      : ScriptedActor(ctx, test, script), limiter{options} {}
  void limited(Context& ctx, const Note& message) {
    if (limiter.try_take(ctx)) return note(message);
    ctx.stash();
    if (!ctx.has_timer("token")) ctx.start_timer("token", limiter.wait(ctx), Answer{0});
  }
  void token(Context& ctx, const Answer&) { ctx.unstash_all(); }
  using Receive = Handlers<&ScriptedActor::act, &Limited::limited, &Limited::token>;
  using States = actord::States<>;

  RateLimiter limiter;
};

using Limit = std::function<void(Context&, RateLimiter&)>;

void under_seeds(const RateLimiterOptions& options,
                 const std::function<void(SeededTest&, Ref limited)>& scene) {
  conformance::under_seeds([&](SeededTest& test) {
    scene(test, {test.world.spawn<Limited>("limited", &test, Script{}, options)});
  });
}

void use(SeededTest& test, Ref limited, const Limit& what) {
  test.perform(limited, [&](ScriptedActor& actor, Context& ctx) {
    what(ctx, static_cast<Limited&>(actor).limiter);
  });
}

}  // namespace

TEST_CASE("rate limiter: a burst of tokens is there at first, and then so many per interval") {
  under_seeds({.tokens = 10, .per = 1s, .burst = 3}, [](SeededTest& test, Ref limited) {
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK(limiter.available(ctx) == 3);
      for (int i = 0; i < 3; ++i) CHECK(limiter.try_take(ctx));
      CHECK_FALSE(limiter.try_take(ctx));
      CHECK(limiter.available(ctx) == 0);
      CHECK(limiter.wait(ctx) == 100ms);
      CHECK(limiter.wait(ctx, 3) == 300ms);
    });
    test.world.advance(99ms);
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK_FALSE(limiter.try_take(ctx));
      CHECK(limiter.wait(ctx) == 1ms);
    });
    test.world.advance(1ms);
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK(limiter.available(ctx) == 1);
      CHECK(limiter.try_take(ctx));
      CHECK_FALSE(limiter.try_take(ctx));
    });
    test.world.advance(1h);
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK(limiter.available(ctx) == 3);  // no more than a burst is saved up
      CHECK(limiter.try_take(ctx, 2));
      CHECK_FALSE(limiter.try_take(ctx, 2));
      CHECK(limiter.available(ctx) == 1);
    });
  });
}

TEST_CASE("rate limiter: in no interval more tokens come than are allowed") {
  under_seeds({.tokens = 3, .per = 1s, .burst = 1}, [](SeededTest& test, Ref limited) {
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK(limiter.try_take(ctx));
      CHECK(limiter.wait(ctx) == 333'333'334ns);
    });
    int taken = 0;
    for (int i = 0; i < 1000; ++i) {
      use(test, limited,
          [&](Context& ctx, RateLimiter& limiter) { taken += limiter.try_take(ctx) ? 1 : 0; });
      test.world.advance(10ms);
    }
    CHECK(taken <= 31);
    CHECK(taken >= 29);
  });
}

TEST_CASE("rate limiter: messages set aside are handled in order, at the rate") {
  under_seeds({.tokens = 10, .per = 1s, .burst = 2}, [](SeededTest& test, Ref limited) {
    for (int n = 1; n <= 5; ++n) test.note(limited, n);
    test.world.run();
    CHECK(test.life_of("limited") == "new 0, pre_start 0, got 1, got 2");
    test.world.advance(100ms);
    CHECK(test.count("limited got 3") == 1);
    CHECK(test.count("limited got 4") == 0);
    test.world.advance(200ms);
    CHECK(test.life_of("limited") == "new 0, pre_start 0, got 1, got 2, got 3, got 4, got 5");
  });
}

TEST_CASE("rate limiter: options that are not allowed are refused, and so is what never comes") {
  const auto error = [](const RateLimiterOptions& options) {
    try {
      RateLimiter{options};
    } catch (const Error& refusal) {
      return std::string{refusal.what()};
    }
    return std::string{};
  };
  CHECK(error({.tokens = 0}) == "rate limiter: tokens must be at least 1");
  CHECK(error({.per = 0s}) == "rate limiter: per must be longer than 0");
  CHECK(error({.burst = 0}) == "rate limiter: burst must be at least 1");
  CHECK(error({.tokens = 1, .per = 24h, .burst = 4'000'000'000}) ==
        "rate limiter: a burst takes more than 100 years to save up");
  CHECK(error({.tokens = 4'000'000'000, .per = 1ns}).empty());
  under_seeds({.tokens = 2}, [](SeededTest& test, Ref limited) {
    use(test, limited, [](Context& ctx, RateLimiter& limiter) {
      CHECK_THROWS_AS(limiter.try_take(ctx, 3), Error);
      CHECK_THROWS_AS(limiter.wait(ctx, 3), Error);
      CHECK(limiter.try_take(ctx, 2));
    });
  });
}

}  // namespace actord::conformance::retries
