// SPDX-License-Identifier: Apache-2.0
//
// Which failures are written while the log cannot write what it has. What the limit does otherwise
// is in conformance/supervision/storm_test.cpp.
#include <doctest/doctest.h>

#include "actor/failure_log_limit.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/failure_log_limit");

namespace {

/// Asks for 100 failures of one kind of the actor 7, with the ids from 1 on, and returns how many
/// are admitted.
int admitted_of_hundred(FailureLogLimit& limit, bool has_room) {
  int admitted = 0;
  for (std::uint64_t id = 1; id <= 100; ++id) {
    Failure failure;
    failure.id = id;
    failure.actor = 7;
    const FailureLogLimit::Line line{"actor.failed", log::Level::error, "default",
                                     Directive::restart};
    if (limit.admits(failure, line, has_room, 0)) ++admitted;
  }
  return admitted;
}

}  // namespace

TEST_CASE("a limit that is switched off admits five failures of a kind when it is asked") {
  FailureLogLimit limit;
  CHECK_FALSE(limit.is_limited());
  CHECK(admitted_of_hundred(limit, true) == 5);
  const auto unlogged = limit.take(0);
  REQUIRE(unlogged.size() == 1);
  CHECK(unlogged[0].count == 95);
  CHECK(unlogged[0].first_id == 6);
  CHECK(unlogged[0].last_id == 100);
}

TEST_CASE("without room for lines every failure is counted, and none uses up the burst") {
  FailureLogLimit limit;
  limit.set_burst(3);
  CHECK(admitted_of_hundred(limit, false) == 0);
  const auto unlogged = limit.take(0);
  REQUIRE(unlogged.size() == 1);
  CHECK(unlogged[0].count == 100);
  CHECK(unlogged[0].first_id == 1);
  CHECK(unlogged[0].actor == 7);
  CHECK(admitted_of_hundred(limit, true) == 3);
}

TEST_SUITE_END();

}  // namespace actord::actor
