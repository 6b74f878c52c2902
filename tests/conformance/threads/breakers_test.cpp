// SPDX-License-Identifier: Apache-2.0
//
// A circuit breaker that twelve actors on many workers share: item 182a. Its counts add up whatever
// the threads do (182e).
#include <actord/shared_circuit_breaker.hpp>

#include "crew.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t breaker_users = 12, calls_each = 20'000, calls_per_turn = 50;

struct BreakerTally {
  std::atomic<std::uint64_t> made{0}, failed{0}, refused{0}, done{0};
};

/// Every third call of an actor fails.
class BreakerUser : public Actor {
 public:
  BreakerUser(std::int64_t number, BreakerTally* tally) : tally_(*tally), number_(number) {}

  void work(Context& ctx, const Go& go) {
    for (std::int64_t n = go.n; n < go.n + calls_per_turn; ++n) {
      try {
        breaker_.call(ctx, [&] {
          ++tally_.made;
          if ((n + number_) % 3 == 0) throw Error("boom");
        });
      } catch (const CircuitBreakerOpen&) {
        ++tally_.refused;
      } catch (const Error&) {
        ++tally_.failed;
      }
    }
    if (go.n + calls_per_turn < calls_each) ctx.tell(ctx.self(), Go{go.n + calls_per_turn});
    else ++tally_.done;
  }
  using Receive = Handlers<&BreakerUser::work>;

 private:
  BreakerTally& tally_;
  const std::int64_t number_;
  SharedCircuitBreaker breaker_{"store"};
};

/// Tries to get through a half-open breaker, and says how many have.
class Prober : public Actor {
 public:
  explicit Prober(BreakerTally* tally) : tally_(*tally) {}
  void work(Context& ctx, const Go&) {
    if (breaker_.allows(ctx)) ++tally_.made;
    else ++tally_.refused;
  }
  using Receive = Handlers<&Prober::work>;

 private:
  BreakerTally& tally_;
  SharedCircuitBreaker breaker_{"store"};
};

/// Reports one failure after another, then makes as many calls that are refused.
class Counter : public Actor {
 public:
  explicit Counter(BreakerTally* tally) : tally_(*tally) {}
  void work(Context& ctx, const Go& go) {
    const bool has_room = breaker_.state(ctx) == SharedCircuitBreaker::State::closed;
    for (std::int64_t i = 0; i < go.n; ++i) {
      if (has_room) breaker_.failed(ctx);
      else if (breaker_.allows(ctx)) ++tally_.made;
    }
    ++tally_.done;
  }
  using Receive = Handlers<&Counter::work>;

 private:
  BreakerTally& tally_;
  SharedCircuitBreaker breaker_{"store"};
};

void configure(Crew& crew, const system::BreakerSettings& settings) {
  system::LiveSettings live = crew.system().settings().live;
  live.circuit_breakers.named["store"] = settings;
  crew.system().set_live(live);
}

system::BreakerReport report(Crew& crew) {
  return crew.system().breakers().reports(std::chrono::nanoseconds{crew.system().now_ns()}).at(0);
}

}  // namespace

TEST_CASE("182a twelve actors share a breaker: each call is made or refused, and counted once") {
  for (const std::uint32_t max_failures : {2U, 1'000'000'000U}) {
    CAPTURE(max_failures);
    BreakerTally tally;
    Crew crew;
    configure(crew, {.max_failures = max_failures, .reset_timeout = std::chrono::microseconds{50}});
    for (std::int64_t i = 0; i < breaker_users; ++i)
      crew.tell(crew.spawn<BreakerUser>("user-" + std::to_string(i), i, &tally), Go{0});
    support::wait_until([&] { return tally.done == breaker_users; }, "the calls of all actors");
    const system::BreakerReport told = report(crew);
    CHECK(tally.made + tally.refused == breaker_users * calls_each);
    CHECK(told.failed == tally.failed);
    CHECK(told.refused == tally.refused);
    using State = system::BreakerState;
    const auto entered = [&](State state) { return told.entered[static_cast<std::size_t>(state)]; };
    // Each time that it is half-open, it closes or opens again, save the last time.
    const std::uint64_t left_open = told.state == State::open ? 1 : 0;
    const std::uint64_t left_half_open = told.state == State::half_open ? 1 : 0;
    CHECK(entered(State::open) == entered(State::half_open) + left_open);
    CHECK(entered(State::closed) + left_half_open <= entered(State::half_open));
    if (max_failures == 2) {
      CHECK(entered(State::open) > 0);
    } else {
      CHECK(tally.refused == 0);
      CHECK(told.entered == std::array<std::uint64_t, 3>{});
    }
    crew.end();
  }
}

TEST_CASE("182e of all that twelve actors report at once, nothing is lost") {
  constexpr std::int64_t each = 100'000, all = breaker_users * each;
  BreakerTally tally;
  Crew crew;
  configure(crew, {.max_failures = all, .reset_timeout = std::chrono::hours{1}});
  std::vector<actor::Ref> counters;
  for (std::int64_t i = 0; i < breaker_users; ++i)
    counters.push_back(crew.spawn<Counter>("counter-" + std::to_string(i), &tally));
  for (int round = 0; round < 2; ++round) {
    tally.done = 0;
    for (const actor::Ref counter : counters) crew.tell(counter, Go{each});
    support::wait_until([&] { return tally.done == breaker_users; }, "the reports of all actors");
    CHECK(report(crew).state == system::BreakerState::open);
    CHECK(report(crew).failures == all);
    CHECK(report(crew).failed == all);
  }
  CHECK(report(crew).refused == all);
  CHECK(tally.made == 0);
  crew.end();
}

TEST_CASE("182a of twelve actors that find a breaker half-open, one gets through") {
  for (int round = 0; round < 20; ++round) {
    BreakerTally tally;
    Crew crew;
    configure(crew, {.max_failures = 1,
                     .call_timeout = std::chrono::hours{1},
                     .reset_timeout = std::chrono::nanoseconds{1}});
    const actor::Ref opener = crew.spawn<BreakerUser>("opener", 2, &tally);
    std::vector<actor::Ref> probers;
    for (std::int64_t i = 0; i < breaker_users; ++i)
      probers.push_back(crew.spawn<Prober>("prober-" + std::to_string(i), &tally));
    // The last call of its last turn fails, and opens the breaker.
    crew.tell(opener, Go{calls_each - calls_per_turn});
    support::wait_until([&] { return tally.done == 1; }, "the calls of the first actor");
    REQUIRE(report(crew).state == system::BreakerState::open);
    tally.made = tally.refused = 0;
    for (const actor::Ref each : probers) crew.tell(each, Go{});
    support::wait_until([&] { return tally.made + tally.refused == breaker_users; },
                        "the answers to all actors");
    CHECK(tally.made == 1);
    crew.end();
  }
}

}  // namespace actord::conformance
