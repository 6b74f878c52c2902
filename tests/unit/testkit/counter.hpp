// SPDX-License-Identifier: Apache-2.0
//
// Actors for the tests of the test kit: one that counts, and one that has it as a child.
#pragma once

#include <actord/testkit.hpp>

namespace counting {

using namespace std::chrono_literals;

struct Add {
  int n = 0;
};
struct Get {};
struct Total {
  int n = 0;
};
struct Remind {  // the actor gets an Add in a second
  int n = 0;
};
struct Ask {  // asks the actor behind `whom`, and passes its answer to the sender
  actord::Ref whom;
};
struct Close {};
ACTORD_MESSAGE(Close, "counting.Close/1")
ACTORD_MESSAGE(Add, "counting.Add/1", n)
ACTORD_MESSAGE(Get, "counting.Get/1")
ACTORD_MESSAGE(Total, "counting.Total/1", n)
ACTORD_MESSAGE(Remind, "counting.Remind/1", n)
ACTORD_MESSAGE(Ask, "counting.Ask/1", whom)

struct Overflow : actord::Error {
  using Error::Error;
};

class Counter : public actord::Actor {
 public:
  struct Config {
    int start = 0;
    std::string motto = "none";
  };
  explicit Counter(const Config& config) : total_(config.start) {}

  void add(actord::Context& ctx, const Add& m) {
    if (m.n > 100) throw Overflow("too much", {{"n", m.n}});
    total_ += m.n;
    ctx.event(actord::Level::info, "counting.added", "added", {{"n", m.n}, {"by", ctx.sender()}});
  }
  Total get(const Get&) { return {total_}; }
  void remind(actord::Context& ctx, const Remind& m) {
    ctx.start_timer("remind", 1s, Add{m.n});
    asker_ = ctx.sender();
  }
  void ask(actord::Context& ctx, const Ask& m) {
    asker_ = ctx.sender();
    ctx.ask<&Counter::answered>(m.whom, Get{}, 5s);
  }
  void answered(actord::Context& ctx, const actord::Reply<Total>& reply) {
    ctx.tell(asker_, reply ? *reply : Total{-1});
  }
  void close(actord::Context& ctx, const Close&) { ctx.become<Closed>(); }
  void refuse(actord::Context& ctx, const Add&) { ctx.reply(Total{-2}); }

  using Receive = actord::Handlers<&Counter::add, &Counter::get, &Counter::remind, &Counter::ask,
                                   &Counter::close>;
  using Closed = actord::Handlers<&Counter::refuse>;
  using States = actord::States<Closed>;

 private:
  int total_;
  actord::Ref asker_;
};
ACTORD_FIELDS(Counter::Config, start, motto)

/// Spawns a Counter as "child", and passes on what it is sent.
class Boss : public actord::Actor {
 public:
  explicit Boss(actord::Context& ctx)
      : child_(ctx.spawn<Counter>("child", Counter::Config{5, ""})) {}

  static actord::Strategy supervision() {
    return actord::one_for_one()
        .on<Overflow>(actord::Directive::resume)
        .otherwise(actord::Directive::restart);
  }
  void pass(actord::Context& ctx) { ctx.forward(child_); }
  using Receive = actord::Handlers<&Boss::pass>;

 private:
  actord::Ref child_;
};

/// Does nothing; its config has a list of objects.
class Shelf : public actord::Actor {
 public:
  struct Box {
    int max_size = 0;
  };
  struct Config {
    std::vector<Box> boxes;
  };
  explicit Shelf(const Config&) {}
  using Receive = actord::Handlers<>;
};
ACTORD_FIELDS(Shelf::Box, max_size)
ACTORD_FIELDS(Shelf::Config, boxes)

inline const actord_plugin* plugin() {
  return actord::plugin_table<actord::Behaviours<Counter, Boss, Shelf>,
                              actord::Messages<Add, Get, Total, Remind, Ask, Close>>("counting",
                                                                                     "1.0.0");
}

/// A system with these actors in it.
struct CounterTest : actord::testkit::TestSystem {
  explicit CounterTest(actord::testkit::Options options = {}) : TestSystem(std::move(options)) {
    use(plugin());
  }
};

}  // namespace counting
