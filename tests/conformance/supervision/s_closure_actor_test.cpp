// SPDX-License-Identifier: Apache-2.0
//
// Actors of closures: item 180m.
#include <actord/closure_actor.hpp>

#include "state_onlooker.hpp"

namespace actord::conformance {

namespace {

Closures pushed(int coins);
/// A turnstile: a Note is a coin, a Question pushes, and an Answer asks for the number of coins.
Closures waiting(int coins) {
  return Closures{}
      .on<Note>([coins](const Note& coin) { return pushed(coins + coin.n); })
      .on<Question>([](Context& ctx, const Question&) -> std::optional<Closures> {
        ctx.reply(Answer{-1});
        return std::nullopt;
      })
      .on<Answer>([coins](const Answer&) { return Answer{coins}; })
      .on<Letter>([](const Letter& letter) { throw Restarting(letter.text); });
}
Closures pushed(int coins) {
  return Closures{}.on<Question>([coins](const Question&) { return waiting(coins); });
}

}  // namespace

TEST_CASE("180m an actor of closures becomes what they return, and a restart begins anew") {
  under_seeds([](SeededTest& test) {
    Seen told;
    const actor::Ref onlooker = test.world.spawn<Onlooker>("onlooker", &told);
    const actor::Ref turnstile = test.world.spawn<ClosureActor>("turnstile", waiting(0));
    test.world.send(turnstile, Question{}, onlooker);
    test.world.send(turnstile, Note{2}, onlooker);
    test.world.send(turnstile, Note{2}, onlooker);
    CHECK(test.world.events("message.unhandled").size() == 1);
    test.world.send(turnstile, Question{}, onlooker);
    test.world.send(turnstile, Answer{}, onlooker);
    CHECK(told == Seen{"answer -1", "answer 2"});
    test.world.send(turnstile, Letter{"boom"}, onlooker);
    test.world.send(turnstile, Answer{}, onlooker);
    CHECK(told.back() == "answer 0");
  });
}

TEST_CASE("180m an actor of closures without one for Terminated has a death pact") {
  under_seeds([](SeededTest& test) {
    int others = 0;
    const Ref target = test.spawn("target");
    const auto watch = [target](Context& ctx, const Question&) { ctx.watch(target); };
    const actor::Ref bound =
        test.world.spawn<ClosureActor>("bound", Closures{}.on<Question>(watch));
    const actor::Ref free = test.world.spawn<ClosureActor>(
        "free", Closures{}.on<Question>(watch).otherwise([&others](Context&) { ++others; }));
    test.world.send(bound, Question{});
    test.world.send(free, Question{});
    test.stop(target);
    CHECK(others == 1);
    CHECK(test.is_alive(Ref{free}));
    CHECK_FALSE(test.is_alive(Ref{bound}));
    CHECK(test.world.events("actor.failed").size() == 1);
  });
}

}  // namespace actord::conformance
