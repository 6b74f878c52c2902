// SPDX-License-Identifier: Apache-2.0
#include "sim/companion_checks.hpp"

#include <doctest/doctest.h>

namespace actord::sim::companions {

TEST_SUITE_BEGIN("sim/companion_checks");

namespace {

constexpr actor::Ref alice = 11, bob = 12, carol = 13;

bool lives(actor::Ref) { return true; }

}  // namespace

TEST_CASE("49: each message is handled, dead-lettered or parked once, as often as it was sent") {
  Findings findings;
  Fates fates(findings);
  const std::uint32_t message = fates.sent(false);
  SUBCASE("it is handled") {
    fates.taken(message);
    fates.check("now");
    CHECK(findings.empty());
    fates.died(message);
    fates.check("now");
    CHECK(findings.invariant() == 49);
  }
  SUBCASE("it is stashed, and then is a dead letter") {
    fates.taken(message);
    fates.moved(message);
    CHECK(fates.moves(message) == 1);
    fates.died(message);
    fates.check("now");
    CHECK(findings.empty());
  }
  SUBCASE("nobody has it") {
    fates.check("now");
    CHECK(findings.invariant() == 49);
  }
  SUBCASE("one that multiplies has one fate at least") {
    const std::uint32_t many = fates.sent(true);
    fates.taken(message);
    fates.taken(many);
    fates.died(many);
    fates.check("now");
    CHECK(findings.empty());
  }
}

TEST_CASE("50: an ask ends once") {
  Findings findings;
  Asks asks(findings);
  asks.begun(7);
  SUBCASE("by its answer") {
    asks.answered(7);
    asks.check_rest("alice");
    CHECK(findings.empty());
    asks.answered(7);
    CHECK(findings.invariant() == 50);
  }
  SUBCASE("by the answer to another one") {
    asks.answered(8);
    CHECK(findings.invariant() == 50);
  }
  SUBCASE("by a failure, and not again") {
    asks.ended();
    CHECK(findings.empty());
    asks.ended();
    CHECK(findings.invariant() == 50);
  }
  SUBCASE("never") {
    asks.check_rest("alice");
    CHECK(findings.invariant() == 50);
  }
}

TEST_CASE("51: an actor sees the children that it has created") {
  Findings findings;
  Children children(findings);
  children.spawned(alice, bob);
  children.seen(alice, bob, "children()");
  CHECK(findings.empty());
  SUBCASE("a stranger among them") {
    children.seen(alice, carol, "children()");
    CHECK(findings.invariant() == 51);
  }
  SUBCASE("the end of a stranger") {
    children.ended(alice, carol);
    CHECK(findings.invariant() == 51);
  }
  SUBCASE("the end of a child, twice") {
    children.ended(alice, bob);
    CHECK(findings.empty());
    children.ended(alice, bob);
    CHECK(findings.invariant() == 51);
  }
}

TEST_CASE("53: no two deliveries of a sender have the same number") {
  Findings findings;
  DeliveryNumbers numbers(findings);
  numbers.made("alice", 1000, 1);
  numbers.made("alice", 1000, 1);  // again, as it is not confirmed
  numbers.made("bob", 1000, 2);
  CHECK(findings.empty());
  numbers.made("alice", 1000, 3);
  CHECK(findings.invariant() == 53);
}

TEST_CASE("54: a task of the shutdown that was added in time is run once") {
  Findings findings;
  ShutdownTasks tasks(findings);
  tasks.added(alice, 1, "close");
  tasks.added(alice, 1, "close");
  SUBCASE("it is run") {
    tasks.phase_begins(1);
    tasks.ran(alice, 1, "close");
    tasks.check_over(lives);
    CHECK(findings.empty());
    tasks.ran(alice, 1, "close");
    CHECK(findings.invariant() == 54);
  }
  SUBCASE("it is not run") {
    tasks.check_over(lives);
    CHECK(findings.invariant() == 54);
  }
  SUBCASE("its actor has ended") {
    tasks.check_over([](actor::Ref) { return false; });
    CHECK(findings.empty());
  }
  SUBCASE("it is run, and was never added") {
    tasks.ran(bob, 1, "close");
    CHECK(findings.invariant() == 54);
  }
  SUBCASE("one that comes too late need not run") {
    tasks.phase_begins(1);
    tasks.ran(alice, 1, "close");
    tasks.added(bob, 1, "close");
    tasks.check_over(lives);
    CHECK(findings.empty());
  }
  SUBCASE("an actor that is to stop in a phase lives on") {
    tasks.ran(alice, 1, "close");
    tasks.added_stop(2, bob);
    tasks.check_over(lives);
    CHECK(findings.invariant() == 54);
  }
}

TEST_CASE("55: a subscriber is told of each transition, in their order") {
  Findings findings;
  Transitions transitions(findings);
  SUBCASE("from the state that it was told") {
    transitions.is_in(alice, bob, "idle");
    transitions.goes(alice, bob, "idle", "busy");
    transitions.goes(alice, bob, "busy", "idle");
    CHECK(findings.empty());
  }
  SUBCASE("one is left out") {
    transitions.is_in(alice, bob, "idle");
    transitions.goes(alice, bob, "busy", "idle");
    CHECK(findings.invariant() == 55);
  }
  SUBCASE("before the state") {
    transitions.goes(alice, bob, "idle", "busy");
    CHECK(findings.invariant() == 55);
  }
}

TEST_CASE("57: a snapshot is due after so many events") {
  Findings findings;
  Snapshots snapshots(findings, 10);
  snapshots.written("alice", 3);
  snapshots.written("alice", 13);
  snapshots.may_come("alice");
  snapshots.written("alice", 14);
  CHECK(findings.empty());
  snapshots.written("alice", 15);
  CHECK(findings.invariant() == 57);
}

}  // namespace actord::sim::companions
