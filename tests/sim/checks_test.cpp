// SPDX-License-Identifier: Apache-2.0
//
// A checker that cannot fail is useless. The tests show each checker what it must find, and what it
// must accept.
#include "sim/checks.hpp"

#include <doctest/doctest.h>

#include "sim/scan.hpp"
#include "sim/swarm_actor.hpp"

namespace actord::sim {

TEST_SUITE_BEGIN("sim/checks");

namespace {

/// Two running actors.
struct Pair {
  Pair() {
    scenario.strategies.resize(1);
    scenario.actors.resize(1);
    for (int i = 0; i < 2; ++i) {
      const Id id = model.spawned(0, 0, 0);
      model.construct(id, 1);
      model.constructed(id);
      model.pre_start(id);
      model.started(id);
      mail.born(id, i == 0 ? 0 : 2);
      watches.born();
    }
  }
  void end(Id who) {
    model.stop(who, 0);
    model.post_stop(who);
    model.post_stopped(who);
    model.destroyed(who);
  }
  Scenario scenario;
  Findings findings;
  Model model{scenario, findings};
  MailCheck mail{model, findings};
  WatchCheck watches{model, findings};
};

}  // namespace

TEST_CASE("messages in order, handled once, break no rule") {
  Pair p;
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t letter = p.mail.sent(2, 1);
    p.mail.begun(letter, 1);
    p.mail.destroyed(letter);
  }
  p.mail.check_end();
  CHECK(p.findings.first() == "");
}

TEST_CASE("17: one sender's messages do not overtake each other") {
  Pair p;
  const std::uint32_t first = p.mail.sent(2, 1), second = p.mail.sent(2, 1);
  p.mail.begun(second, 1);
  p.mail.begun(first, 1);
  CHECK(p.findings.invariant() == 17);
}

TEST_CASE("16, 20, 29: a message is handled once, by its receiver, and has one fate") {
  Pair p;
  const std::uint32_t letter = p.mail.sent(2, 1);
  SUBCASE("16: twice") {
    p.mail.begun(letter, 1);
    p.mail.begun(letter, 1);
    CHECK(p.findings.invariant() == 16);
  }
  SUBCASE("29: by another") {
    p.mail.begun(letter, 2);
    CHECK(p.findings.invariant() == 29);
  }
  SUBCASE("20: after its end") {
    p.end(1);
    p.mail.destroyed(letter);
    CHECK(p.findings.empty());
    p.mail.begun(letter, 1);
    CHECK(p.findings.invariant() == 20);
  }
  SUBCASE("20: lost, while its receiver lives") {
    p.mail.destroyed(letter);
    CHECK(p.findings.invariant() == 20);
  }
  SUBCASE("20: for ever") {
    p.mail.check_end();
    CHECK(p.findings.invariant() == 20);
  }
}

TEST_CASE("33: what was stashed comes first, in its order") {
  Pair p;
  const std::uint32_t first = p.mail.sent(2, 1), second = p.mail.sent(2, 1);
  for (const std::uint32_t each : {first, second}) {
    p.mail.begun(each, 1);
    p.mail.stashed(each, 1);
  }
  p.mail.unstashed(1);
  SUBCASE("the rule is kept") {
    p.mail.begun(first, 1);
    p.mail.begun(second, 1);
    p.mail.other_begun(1);
    CHECK(p.findings.empty());
  }
  SUBCASE("in another order") {
    p.mail.begun(second, 1);
    CHECK(p.findings.invariant() == 33);
  }
  SUBCASE("behind something else") {
    p.mail.other_begun(1);
    CHECK(p.findings.invariant() == 33);
  }
}

TEST_CASE("34: a bounded mailbox stays within its bound") {
  Pair p;
  p.mail.sent(1, 2);
  p.mail.sent(1, 2);
  p.mail.check_bounds(2);
  CHECK(p.findings.empty());
  p.mail.sent(1, 2);
  p.mail.check_bounds(2);
  CHECK(p.findings.invariant() == 34);
}

TEST_CASE("22: one Terminated for each watch, after the end") {
  Pair p;
  p.watches.watched(1, 2);
  SUBCASE("the rule is kept") {
    p.end(2);
    p.watches.terminated(1, 2);
    p.watches.check_settled(1);
    CHECK(p.findings.empty());
    p.watches.terminated(1, 2);  // a second notice
  }
  SUBCASE("too early") { p.watches.terminated(1, 2); }
  SUBCASE("after unwatch") {
    p.end(2);
    p.watches.unwatched(1, 2);
    p.watches.terminated(1, 2);
  }
  SUBCASE("never") {
    p.end(2);
    p.watches.check_settled(1);
  }
  SUBCASE("refused, though there is no watch") {
    p.watches.unwatched(1, 2);
    p.watches.refused(1, 2);
  }
  CHECK(p.findings.invariant() == 22);
}

TEST_CASE("30, 31: answers belong to one incarnation and one question") {
  Findings findings;
  IncarnationCheck check(findings, 1, 2);
  SUBCASE("the rule is kept") {
    const std::uint32_t first = check.asked(), second = check.asked();
    check.answered(1, 2, second);
    check.answered(1, 2, first);
    check.asked();
    check.completed();
    CHECK(findings.empty());
  }
  SUBCASE("30: an answer to the one before") {
    check.answered(1, 1, check.asked());
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("30: an answer to another actor") {
    check.answered(4, 2, check.asked());
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("31: an answer too many") {
    check.completed();
    CHECK(findings.invariant() == 31);
  }
  SUBCASE("31: an answer to another question") {
    const std::uint32_t number = check.asked();
    check.answered(1, 2, number + 1);
    CHECK(findings.invariant() == 31);
  }
  SUBCASE("31: two answers to one question") {
    const std::uint32_t number = check.asked();
    check.asked();
    check.answered(1, 2, number);
    CHECK(findings.empty());
    check.answered(1, 2, number);
    CHECK(findings.invariant() == 31);
  }
}

TEST_CASE("30, 32: timers, states and silence belong to one incarnation") {
  using Timer = IncarnationCheck::Timer;
  using State = IncarnationCheck::State;
  Findings findings;
  IncarnationCheck check(findings, 1, 2);
  SUBCASE("the rule is kept") {
    check.timer_started(Timer::often);
    const std::uint32_t often = check.timer_started(Timer::often);
    check.ticked(2, Timer::once, check.timer_started(Timer::once));
    check.ticked(2, Timer::often, often);
    check.ticked(2, Timer::often, often);
    check.became(State::deaf);
    check.became_on_top(State::busy);
    check.handled(check.state() == State::busy, "what only the busy handle");
    check.unbecame();
    CHECK(check.state() == State::deaf);
    check.unbecame();
    CHECK(check.state() == State::initial);
    check.awaits_silence(10, 100);
    check.active(105);
    check.silent(115);
    CHECK(findings.empty());
  }
  SUBCASE("30: a timer of the one before") {
    check.ticked(1, Timer::often, check.timer_started(Timer::often));
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("30: a timer that was replaced") {
    const std::uint32_t first = check.timer_started(Timer::often);
    check.timer_started(Timer::often);
    check.ticked(2, Timer::often, first);
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("30: a timer that was cancelled") {
    const std::uint32_t number = check.timer_started(Timer::often);
    check.timer_cancelled(Timer::often);
    check.ticked(2, Timer::often, number);
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("30: a timer for once, twice") {
    const std::uint32_t number = check.timer_started(Timer::once);
    check.ticked(2, Timer::once, number);
    CHECK(findings.empty());
    check.ticked(2, Timer::once, number);
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("30: a state of the one before") {
    check.handled(check.state() == State::busy, "what only the busy handle");
    CHECK(findings.invariant() == 30);
  }
  SUBCASE("32: a timeout too early") {
    check.awaits_silence(10, 100);
    check.silent(109);
    CHECK(findings.invariant() == 32);
  }
  SUBCASE("30: a timeout that was not set") {
    check.silent(100);
    CHECK(findings.invariant() == 30);
  }
}

// ---- what is read off the cells -----------------------------------------------------------------

namespace {

struct Quiet {
  Quiet() { world.start(user); }
  actor::Cell& user_cell() {
    return world.system().cells.at(actor::index_of(world.system().find("/user")));
  }
  const actor::NodeSpec user;
  SimWorld world{{}, swarm_plugin()};
  Findings findings;
};

}  // namespace

TEST_CASE("a world at rest passes every scan") {
  Quiet q;
  scan_running(q.world, q.findings);
  scan_settled(q.world, q.findings);
  q.world.system().terminate();
  q.world.run();
  scan_stopped(q.world, q.findings);
  CHECK(q.findings.first() == "");
}

TEST_CASE("2: a sleeping cell is in no run queue, another in one") {
  Quiet q;
  actor::Cell& cell = q.user_cell();
  q.world.system().dispatcher(cell.dispatcher.load()).inject(&cell);
  scan_running(q.world, q.findings);
  CHECK(q.findings.invariant() == 2);
}

TEST_CASE("3: no cell sleeps with system messages waiting") {
  Quiet q;
  actor::Cell& cell = q.user_cell();
  alignas(64) actor::Envelope order{};
  cell.system.push(&order);
  scan_running(q.world, q.findings);
  CHECK(q.findings.invariant() == 3);
  cell.system.take_all();
}

TEST_CASE("6, 7, 10: suspensions have a reason, and an end") {
  Quiet q;
  actor::Cell& cell = q.user_cell();
  SUBCASE("7: a suspension without a reason") {
    cell.life.suspend();
    scan_running(q.world, q.findings);
    CHECK(q.findings.invariant() == 7);
    cell.life.resume();
  }
  SUBCASE("10: a failure without a decision") {
    cell.life.fail(false);
    cell.life.suspend();
    scan_running(q.world, q.findings);
    CHECK(q.findings.empty());  // the verdict may still be under way
    scan_settled(q.world, q.findings);
    CHECK(q.findings.invariant() == 10);
    cell.life.heal();
    cell.life.resume();
  }
}

TEST_SUITE_END();

}  // namespace actord::sim
