// SPDX-License-Identifier: Apache-2.0
//
// The actors of the boundary row as an author writes them, in a plugin. direct_behaviours.cpp has
// the same actors without the boundary.
#include <chrono>

#include "../bench_messages.hpp"

namespace actord::bench {

namespace {

/// All processes of a machine have the same clock.
Number now_ns() { return {std::chrono::steady_clock::now().time_since_epoch().count()}; }

}  // namespace

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

/// Measures a round trip to the next player: from the tell to the handler of what comes back.
class RoundTrip : public Actor {
 public:
  void meet(const Roles& roles) { roles_ = roles; }
  void play(Context& ctx, const Number& n) {
    if (n.value == 0) return ctx.tell(roles_.referee, Number{now_ns().value - begun_ns_});
    begun_ns_ = now_ns().value;
    ctx.tell(roles_.next, Number{1});
  }
  using Receive = Handlers<&RoundTrip::play, &RoundTrip::meet>;

 private:
  Roles roles_;
  std::int64_t begun_ns_ = 0;
};

/// Answers Roles with the time, and dies of a Number, after it has told `next` the time.
class Mortal : public Actor {
 public:
  void answer(Context& ctx, const Roles& roles) {
    ctx.tell(roles.referee, now_ns());
    heir_ = roles.next;
  }
  void die(Context& ctx, const Number&) {
    ctx.tell(heir_, now_ns());
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  using Receive = Handlers<&Mortal::answer, &Mortal::die>;

 private:
  Ref heir_;
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

ACTORD_PLUGIN(
    "boundary", "1.0.0",
    actord::Behaviours<actord::bench::Mortal, actord::bench::Player, actord::bench::RoundTrip,
                       actord::bench::Sink, actord::bench::Source>,
    actord::bench::AllMessages)
