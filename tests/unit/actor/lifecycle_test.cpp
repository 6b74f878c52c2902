// SPDX-License-Identifier: Apache-2.0
#include "actor/lifecycle.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <utility>

#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/lifecycle");

using support::assertion_broken_by;
using enum Stage;

namespace {

constexpr std::array<Stage, stage_count> stages{fresh,       running,     recreating, creating,
                                                backing_off, terminating, terminated};

/// A life that has reached that stage by legal transitions.
Lifecycle life_at(Stage stage) {
  Lifecycle life;
  const auto go = [&](std::initializer_list<Stage> way) {
    for (const Stage next : way) life.transition_to(next);
  };
  switch (stage) {
    case fresh: break;
    case running: go({running}); break;
    case recreating: go({running, recreating}); break;
    case creating: go({running, creating}); break;
    case backing_off: go({running, recreating, backing_off}); break;
    case terminating: go({running, terminating}); break;
    case terminated: go({running, terminating, terminated}); break;
  }
  return life;
}

// The transitions of supervision.md 21-66 and 131-136, with a row for each stage.
struct Row {
  Stage from;
  std::vector<Stage> to;
};
const std::array<Row, stage_count> rows{{
    {fresh, {running}},
    {running, {recreating, creating, terminating}},
    {recreating, {running, backing_off, terminating}},
    {creating, {running, backing_off, terminating}},
    {backing_off, {recreating, creating, terminating}},
    {terminating, {terminated}},
    {terminated, {}},
}};

}  // namespace

TEST_CASE("each pair of stages is a transition or a bug") {
  for (const Row& row : rows) {
    for (const Stage to : stages) {
      CAPTURE(name_of(row.from));
      CAPTURE(name_of(to));
      const bool is_legal = std::ranges::find(row.to, to) != row.to.end();
      CHECK(may_follow(row.from, to) == is_legal);
      if (is_legal) {
        Lifecycle life = life_at(row.from);
        life.transition_to(to);
        CHECK(life.stage() == to);
      } else {
        CHECK(assertion_broken_by([&] { life_at(row.from).transition_to(to); }) ==
              "may_follow(stage_, next)");
      }
    }
  }
}

TEST_CASE("the log has a text of its own for a stop, a back-off and a creation anew") {
  for (const Stage from : {running, recreating, creating, backing_off})
    CHECK(log_text_of(from, terminating) == "stopping");
  CHECK(log_text_of(running, creating) == "to be created anew");
  CHECK(log_text_of(recreating, backing_off) == "backing off");
  CHECK(log_text_of(backing_off, recreating) == "backed off");
  CHECK(log_text_of(fresh, running).empty());
  for (const Transition& each : transitions) CHECK((each.log_text.empty() || is_logged(each.to)));
  CHECK_FALSE(is_logged(running));
  CHECK_FALSE(is_logged(terminated));
  CHECK(assertion_broken_by([] { log_text_of(terminated, running); }) ==
        "found != transitions.end()");
}

TEST_CASE("a suspension is taken back once") {
  Lifecycle life = life_at(running);
  life.suspend();
  life.suspend();
  life.resume();
  CHECK(life.is_suspended());
  life.resume();
  CHECK_FALSE(life.is_suspended());
  CHECK(assertion_broken_by([&] { life.resume(); }) == "suspensions() != 0");
}

TEST_CASE("one that waits for room handles nothing, and is not suspended") {
  Lifecycle life = life_at(running);
  life.wait_for_room();
  life.wait_for_room();
  CHECK(life.is_paused());
  CHECK(life.is_waiting_for_room());
  CHECK_FALSE(life.is_suspended());
  CHECK(life.suspensions() == 0);
  life.suspend();
  life.end_wait_for_room();
  CHECK_FALSE(life.is_waiting_for_room());
  CHECK(life.is_paused());
  CHECK(life.suspensions() == 1);
  life.resume();
  CHECK_FALSE(life.is_paused());
}

TEST_CASE("suspensions are counted, and never so many that none is left") {
  Lifecycle life;
  life.begin(INT32_MAX);
  CHECK(assertion_broken_by([&] { life.suspend(); }) == "suspensions() != 0");
}

TEST_CASE("an actor fails once in an episode") {
  Lifecycle life = life_at(running);
  life.fail(true);
  CHECK(life.is_failed());
  CHECK(life.is_failed_fatally());
  CHECK(assertion_broken_by([&] { life.fail(false); }) == "!is_failed()");
  life.heal();
  CHECK_FALSE(life.is_failed());
  life.fail(false);
  CHECK_FALSE(life.is_failed_fatally());
}

TEST_CASE("63 a doomed actor counts as failed and suspended, until the end") {
  Lifecycle life = life_at(running);
  life.fail(false);
  life.doom();
  life.doom();
  CHECK(life.is_doomed());
  CHECK(life.is_failed());
  CHECK(life.suspensions() == 1);
  life.transition_to(terminating);
  life.transition_to(terminated);
  life.begin(0);
  CHECK_FALSE(life.is_doomed());
}

TEST_CASE("incarnations are counted when they begin to run") {
  Lifecycle life = life_at(recreating);
  CHECK(assertion_broken_by([&] { life.begin_next_incarnation(); }) == "stage_ == Stage::running");
  life.transition_to(running);
  life.begin_next_incarnation();
  CHECK(life.incarnation() == 1);
}

TEST_CASE("a cell is given to the next tenant when the one before has terminated") {
  Lifecycle life = life_at(recreating);
  CHECK(assertion_broken_by([&] { life.begin(0); }) ==
        "stage_ == Stage::fresh || stage_ == Stage::terminated");
  life = life_at(terminated);
  life.begin(2);
  CHECK(life.stage() == fresh);
  CHECK(life.suspensions() == 2);
  CHECK(life.incarnation() == 0);
}

TEST_CASE("an actor waits to restart in three stages, and ends in two") {
  for (const Stage stage : stages) {
    CAPTURE(name_of(stage));
    const bool waits = stage == recreating || stage == creating || stage == backing_off;
    CHECK(life_at(stage).is_waiting_to_restart() == waits);
    CHECK(life_at(stage).is_ending() == (stage == terminating || stage == terminated));
  }
}

TEST_SUITE_END();

}  // namespace actord::actor
