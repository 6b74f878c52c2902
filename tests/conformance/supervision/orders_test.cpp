// SPDX-License-Identifier: Apache-2.0
//
// Orders of an operator to one actor: suspend, resume and restart (supervision.md, Orders).
#include "actor/cell_extras.hpp"
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using actor::Order;
using Kind = Order::Kind;
using Outcome = Order::Outcome;

/// What became of an order.
struct Ordered {
  std::optional<Outcome> outcome;
  int times = 0;
};

base::IntrusivePtr<Order> make_order(Kind kind, Ordered& ordered) {
  return base::IntrusivePtr<Order>(new Order(kind, "by hand", [&ordered](Outcome outcome) {
    ++ordered.times;
    ordered.outcome = outcome;
  }));
}

/// Does not run the world.
void send(SeededTest& test, Ref whom, Kind kind, Ordered& ordered) {
  test.world.system().order(whom.value, make_order(kind, ordered));
}

std::optional<Outcome> order(SeededTest& test, Ref whom, Kind kind) {
  Ordered ordered;
  send(test, whom, kind, ordered);
  test.world.run();
  CHECK(ordered.times == 1);
  return ordered.outcome;
}

Strategy after_an_hour() {
  return one_for_one().on<Restarting>(Directive::restart).backoff({.min = 1h, .max = 1h});
}
using Patient = Boss<&after_an_hour>;

std::uint32_t suspensions(SeededTest& test, Ref whom) { return test.cell(whom).life.suspensions(); }

}  // namespace

TEST_CASE("orders: a suspended actor and those below it keep their mail until it is resumed") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    CHECK(order(test, boss, Kind::suspend) == Outcome::done);
    test.note(boss, 1);
    test.note(child, 2);
    test.world.run();
    CHECK(test.count("boss got 1") + test.count("child got 2") == 0);
    CHECK(order(test, boss, Kind::suspend) == Outcome::needless);
    CHECK(order(test, child, Kind::resume) == Outcome::needless);
    CHECK(test.count("child got 2") == 0);
    CHECK(order(test, boss, Kind::resume) == Outcome::done);
    CHECK(test.count("boss got 1") == 1);
    CHECK(test.count("child got 2") == 1);
    CHECK(order(test, boss, Kind::resume) == Outcome::needless);
    CHECK(suspensions(test, boss) + suspensions(test, child) == 0);
  });
}

TEST_CASE("orders: a suspension outlives failures, verdicts and restarts, and a stop ends it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(boss, "child");
    Ordered suspended;
    test.queue_failure<Restarting>(child);
    send(test, child, Kind::suspend, suspended);  // before or behind the failure
    test.world.run();
    CHECK(suspended.outcome == Outcome::done);
    CHECK(suspensions(test, child) == 1);
    CHECK(order(test, child, Kind::restart) == Outcome::done);
    test.note(child, 1);
    test.world.run();
    CHECK(test.count("child got 1") == 0);
    CHECK(suspensions(test, child) == 1);
    test.fail<Restarting>(boss);  // which stops its children
    CHECK_FALSE(test.is_alive(child));
    CHECK(test.answers(boss));
  });
}

TEST_CASE("orders: children that come while an actor is suspended are suspended with it") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Judge>(
        "boss", {.post_restart = [&test](ScriptedActor&, Context& ctx, const Failure&) {
          ctx.spawn<ScriptedActor>("child", &test, Script{});
        }});
    CHECK(order(test, boss, Kind::suspend) == Outcome::done);
    CHECK(order(test, boss, Kind::restart) == Outcome::done);
    const Ref child = test.find("/user/boss/child");
    test.note(child, 1);
    test.world.run();
    CHECK(suspensions(test, child) == 1);
    CHECK(order(test, boss, Kind::resume) == Outcome::done);
    CHECK(test.count("child got 1") == 1);
    CHECK(suspensions(test, child) == 0);
  });
}

TEST_CASE("orders: a restart runs the hooks with its reason, and no supervisor is asked") {
  std::string why;
  under_seeds([&why](SeededTest& test) {
    const Ref boss = test.spawn<Judge>("boss");
    const Ref child = test.spawn_under(
        boss, "child", {.pre_restart = [&why](ScriptedActor&, Context&, const Failure& reason) {
          why = std::string{reason.type()} + ": " + std::string{reason.what()};
        }});
    test.note(child, 1);
    CHECK(order(test, child, Kind::restart) == Outcome::done);
    CHECK(why == "actord::RestartOrdered: by hand");
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.count("child got 1") == 1);
    CHECK(test.cell(child).stats == nullptr);
    const auto lines = test.world.events("actor.restarted");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].field("restart.cause") == "actord::RestartOrdered");
    CHECK(lines[0].level == log::Level::info);
    CHECK(test.world.events("actor.failed").empty());
  });
}

TEST_CASE("orders: a restart whose new incarnation fails is answered, and then judged") {
  under_seeds([](SeededTest& test) {
    int attempts = 0, decisions = 0;
    const Ref boss = test.spawn("boss", deciding(Directive::restart, decisions));
    const Ref child = test.spawn_under(
        boss, "child", {.post_restart = [&attempts](ScriptedActor&, Context&, const Failure&) {
          if (++attempts == 1) throw Restarting("not yet");
        }});
    CHECK(order(test, child, Kind::restart) == Outcome::done);
    CHECK(attempts == 2);
    CHECK(decisions == 1);
    CHECK(test.answers(child));
    CHECK(suspensions(test, child) == 0);
  });
}

TEST_CASE("orders: one that backs off is restarted at once, and once") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn<Patient>("boss");
    const Ref child = test.spawn_under(boss, "child");
    test.fail<Restarting>(child);
    REQUIRE(test.cell(child).life.stage() == actor::Stage::backing_off);
    Ordered ordered;
    send(test, child, Kind::restart, ordered);
    test.world.system().end_backoff(child.value);
    test.world.run();
    CHECK(ordered.outcome == Outcome::done);
    CHECK(test.world.incarnation(child.value) == 1);
    CHECK(test.answers(child));
  });
}

TEST_CASE("orders: one that meets a failure, a restart or a stop is answered once") {
  for (const Kind kind : {Kind::suspend, Kind::resume, Kind::restart}) {
    under_seeds([kind](SeededTest& test) {
      const Ref boss = test.spawn<Judge>("boss");
      const Ref child = test.spawn_under(boss, "child");
      Ordered first, second, third;
      test.queue_failure<Restarting>(child);
      send(test, child, kind, first);
      test.queue_failure<Escalating>(boss);
      send(test, child, kind, second);
      test.stop(child);
      send(test, child, kind, third);
      test.world.run();
      CHECK(first.times == 1);
      CHECK(second.times == 1);
      CHECK(third.times == 1);
      CHECK_FALSE(test.is_alive(child));
    });
  }
}

TEST_CASE("orders: one to an actor that has stopped is answered so") {
  under_seeds([](SeededTest& test) {
    const Ref ended = test.spawn("ended");
    test.stop(ended);
    test.world.run();
    for (const Kind kind : {Kind::suspend, Kind::resume, Kind::restart})
      CHECK(order(test, ended, kind) == Outcome::gone);
  });
}

}  // namespace actord::conformance
