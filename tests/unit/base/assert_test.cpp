// SPDX-License-Identifier: Apache-2.0
//
// How a process ends that finds a bug of its own: seen from outside, in a child.
#include "base/assert.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/result.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/assert");

namespace {

struct End {
  int status = -1;
  std::string said;
};

/// Runs `act` in a child whose standard error is read here.
template <class Act>
End end_of(Act&& act) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    act();
    _exit(0);
  }
  close(ends[1]);
  End end;
  char buffer[512];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    end.said.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  return end;
}

}  // namespace

TEST_CASE("an assertion that does not hold ends the process with 70 and says where and what") {
  const End end = end_of([] { ACTORD_ASSERT(1 + 1 == 3); });
  CHECK(end.status == 70);
  CHECK(end.said.find("assert_test.cpp:") != std::string::npos);
  CHECK(end.said.find("assertion failed: 1 + 1 == 3\n") != std::string::npos);
}

TEST_CASE("an assertion that holds does nothing") {
  const End end = end_of([] { ACTORD_ASSERT(1 + 1 == 2); });
  CHECK(end.status == 0);
  CHECK(end.said.empty());
}

TEST_CASE("looking at the half of a result that is not there is a bug") {
  CHECK(end_of([] { static_cast<void>(Result<int>(Error{"no"}).value()); }).status == 70);
  CHECK(end_of([] { static_cast<void>(Result<int>(1).error()); }).status == 70);
}

TEST_SUITE_END();

}  // namespace actord::base
