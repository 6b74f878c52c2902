// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: circuit breakers, of one actor and shared. Items 180k and 182.
#include <actord/shared_circuit_breaker.hpp>

#include "matrix_store.hpp"

namespace actord::conformance::matrix::breakers {

namespace {

constexpr auto reset_timeout = 20s;
constexpr CircuitBreakerOptions options{
    .max_failures = 1, .call_timeout = 1s, .reset_timeout = reset_timeout};

Scene* played = nullptr;  // for a function that is a template argument
bool judge(const Reply<Answer>& reply) {
  played->at(Place::predicate);
  return !reply;
}

template <class Breaker>
Breaker make() {
  if constexpr (std::is_same_v<Breaker, CircuitBreaker>) return CircuitBreaker{"store", options};
  else return SharedCircuitBreaker{"store"};
}

/// The actor with the breaker: one failure opens it.
template <class Breaker>
class Caller : public ScriptedActor {
 public:
  Caller(Context& ctx, Scene* of)
      : ScriptedActor(ctx, &of->test, of->hooks()), scene(*of), breaker(make<Breaker>()) {
    if constexpr (std::is_same_v<Breaker, CircuitBreaker>)
      breaker.on_open([this](Context&) { scene.at(Place::observer); });
  }
  void ask(Context& ctx, int n) {
    if (scene.cell.place == Place::predicate)
      ask_through<&Caller::breaker, &Caller::replied, &judge>(*this, ctx, Store::find(ctx),
                                                              Question{n}, 1s);
    else
      ask_through<&Caller::breaker, &Caller::replied>(*this, ctx, Store::find(ctx), Question{n},
                                                      1s);
  }
  void call(Context& ctx) {
    breaker.call(ctx, [this] { scene.at(Place::work); });
  }
  void replied(Context&, const Reply<Answer>& reply) {
    if (reply) ++scene.answers[reply->n];
    else ++scene.refusals;
    scene.at(Place::answer);
  }
  static CircuitBreaker::State state(Scene& it) {
    auto state = CircuitBreaker::State::open;
    it.queue<Caller>([&](Caller& me, Context& ctx) { state = me.breaker.state(ctx); });
    it.test.world.run();
    return state;
  }

  Scene& scene;
  Breaker breaker;
};

using State = CircuitBreaker::State;

// Whether the end of the first call, which fails, came while the incarnation that made it was
// there. Then the breaker knows it, and the answer to an ask is handled, whatever else throws.
bool is_settled(const Cell& cell) {
  return is_called(cell) &&
         (keeps_instance(cell) || cell.place == Place::answer || cell.place == Place::observer ||
          cell.place == Place::predicate || cell.place == Place::work);
}

template <class Breaker>
void play(Scene& it) {
  using Asker = Caller<Breaker>;
  constexpr bool is_shared = std::is_same_v<Breaker, SharedCircuitBreaker>;
  played = &it;
  Store::open(it);
  it.create<Asker>(&it);
  it.call<Asker>([&](Asker& me, Context& ctx) {
    if (it.cell.place == Place::work) me.call(ctx);
    else me.ask(ctx, 0);
  });
  it.settle();
  CHECK(it.refusals == (is_settled(it.cell) && it.cell.place != Place::work ? 1 : 0));
  it.revive();
  // A breaker of one actor ends with the incarnation; one that is shared does not.
  const bool is_open = is_settled(it.cell) && (is_shared || keeps_instance(it.cell));
  CHECK(Asker::state(it) == (is_open ? State::open : State::closed));
  // Open, it refuses at once; closed, the call is answered.
  const int refused = it.refusals;
  it.queue<Asker>([](Asker& me, Context& ctx) { me.ask(ctx, 1); });
  it.settle();
  CHECK(it.answers[1] == (is_open ? 0 : 1));
  CHECK(it.refusals - refused == (is_open ? 1 : 0));
  // Later, it lets one call through, which closes it.
  it.test.world.advance(reset_timeout);
  it.queue<Asker>([](Asker& me, Context& ctx) { me.ask(ctx, 2); });
  it.settle();
  CHECK(it.answers[2] == 1);
  CHECK(Asker::state(it) == State::closed);
  it.check_failures();
}

// The call that meets the failure is the one that a half-open breaker tries. Its end may be lost
// with the incarnation: then it has failed after call-timeout.
template <class Breaker>
void play_half_open(Scene& it) {
  using Asker = Caller<Breaker>;
  played = &it;
  Store::open(it);
  it.create<Asker>(&it);
  it.queue<Asker>([](Asker& me, Context& ctx) { me.breaker.failed(ctx); });
  it.settle();
  it.test.world.advance(reset_timeout);
  it.call<Asker>([](Asker& me, Context& ctx) { me.ask(ctx, 0); });
  it.settle();
  it.revive();
  for (int i = 0; i < 2; ++i) {
    Asker::state(it);  // the time of a breaker goes on when it is looked at
    it.test.world.advance(reset_timeout + 1s);
  }
  it.queue<Asker>([](Asker& me, Context& ctx) { me.ask(ctx, 2); });
  it.settle();
  CHECK(it.answers[2] == 1);
  CHECK(Asker::state(it) == State::closed);
  it.check_failures();
}

SeededTest::Setup shared() {
  SeededTest::Setup setup;
  setup.options.circuit_breakers = {detail::breaker_settings(options), {}};
  return setup;
}

}  // namespace

TEST_CASE("matrix circuit breaker: it knows how each call has ended") {
  each_cell({Place::before_call, Place::after_call, Place::answer, Place::work, Place::predicate,
             Place::observer, Place::constructor, Place::pre_start, Place::post_restart,
             Place::pre_restart, Place::post_stop},
            &play<CircuitBreaker>);
}

TEST_CASE("matrix half-open circuit breaker: it closes again, whatever becomes of the tried call") {
  each_cell({Place::before_call, Place::after_call, Place::answer, Place::predicate,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            &play_half_open<CircuitBreaker>);
}

TEST_CASE("matrix shared circuit breaker: it knows how each call has ended") {
  each_cell({Place::before_call, Place::after_call, Place::answer, Place::work, Place::predicate,
             Place::constructor, Place::pre_start, Place::post_restart, Place::pre_restart,
             Place::post_stop},
            &play<SharedCircuitBreaker>, shared());
}

TEST_CASE("matrix half-open shared breaker: it closes again, whatever becomes of the tried call") {
  each_cell({Place::before_call, Place::after_call, Place::answer, Place::predicate,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            &play_half_open<SharedCircuitBreaker>, shared());
}

}  // namespace actord::conformance::matrix::breakers
