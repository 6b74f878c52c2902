// SPDX-License-Identifier: Apache-2.0
//
// The actors of the boundary row as an author writes them, in a plugin. direct_behaviours.cpp has
// the same actors without the boundary.
#include "../bench_messages.hpp"

namespace actord::bench {

/// Sends a counter, one less each time, to the next player until it is 0.
class Player : public Actor {
 public:
  void meet(const Roles& roles) { roles_ = roles; }
  void play(Context& ctx, const Number& n) {
    if (n.value == 0) return ctx.tell(roles_.referee, Number{0});
    ctx.tell(roles_.next, Number{n.value - 1});
  }
  using Receive = Handlers<&Player::play, &Player::meet>;

 private:
  Roles roles_;
};

/// Answers Roles, and dies of a Number.
class Mortal : public Actor {
 public:
  void answer(Context& ctx, const Roles& roles) { ctx.tell(roles.referee, Number{0}); }
  void die(const Number&) {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  using Receive = Handlers<&Mortal::answer, &Mortal::die>;
};

/// Sends as many numbers as it is told, in one handler.
class Source : public Actor {
 public:
  void meet(const Roles& roles) { roles_ = roles; }
  void send(Context& ctx, const Number& n) {
    for (std::int64_t i = 0; i < n.value; ++i) ctx.tell(roles_.next, Number{i});
  }
  using Receive = Handlers<&Source::send, &Source::meet>;

 private:
  Roles roles_;
};

/// Adds up as many numbers as it is told to expect, and then reports the sum.
class Sink : public Actor {
 public:
  void meet(const Roles& roles) { roles_ = roles; }
  void expect(const Grow& numbers) {
    left_ = numbers.count;
    sum_ = 0;
  }
  void add(Context& ctx, const Number& n) {
    sum_ += n.value;
    if (--left_ == 0) ctx.tell(roles_.referee, Number{sum_});
  }
  using Receive = Handlers<&Sink::add, &Sink::meet, &Sink::expect>;

 private:
  Roles roles_;
  std::int64_t left_ = 0, sum_ = 0;
};

}  // namespace actord::bench

ACTORD_PLUGIN("boundary", "1.0.0",
              actord::Behaviours<actord::bench::Mortal, actord::bench::Player,
                                 actord::bench::Source, actord::bench::Sink>,
              actord::bench::AllMessages)
