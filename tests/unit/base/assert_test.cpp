// SPDX-License-Identifier: Apache-2.0
//
// How a process ends when it finds a bug of its own, seen from outside, in a child process.
#include "base/assert.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "base/result.hpp"
#include "support/dies.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/assert");

using support::assertion_broken_by, support::ChildEnd, support::end_of;

TEST_CASE("an assertion that does not hold ends the process with 70 and says where and what") {
  const ChildEnd end = end_of([] { ACTORD_ASSERT(1 + 1 == 3); });
  CHECK(end.status == 70);
  CHECK(end.said.find("assert_test.cpp:") != std::string::npos);
  CHECK(end.said.find("assertion failed: 1 + 1 == 3\n") != std::string::npos);
}

TEST_CASE("an assertion that holds does nothing") {
  const ChildEnd end = end_of([] { ACTORD_ASSERT(1 + 1 == 2); });
  CHECK(end.status == 0);
  CHECK(end.said.empty());
}

TEST_CASE("a test learns which condition was broken, or what happened instead") {
  CHECK(assertion_broken_by([] { ACTORD_ASSERT(1 + 1 == 3); }) == "1 + 1 == 3");
  CHECK(assertion_broken_by([] {}).starts_with("none: status 0"));
  CHECK(assertion_broken_by([] { throw std::runtime_error("no"); }).starts_with("none: status 1"));
}

TEST_CASE("looking at the half of a result that is not there is a bug") {
  CHECK(end_of([] { static_cast<void>(Result<int>(Error{"no"}).value()); }).status == 70);
  CHECK(end_of([] { static_cast<void>(Result<int>(1).error()); }).status == 70);
}

TEST_SUITE_END();

}  // namespace actord::base
