// SPDX-License-Identifier: Apache-2.0
//
// Tests how a process ends by a failed assertion: a child process runs the code, and the test looks
// at its end. The test case must have no other thread then, since the child has only the thread
// that forked.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace actord::support {

/// How a child process ended, and what it wrote to standard error.
struct ChildEnd {
  int status = -1;  // of its exit; -1: a signal ended it
  int signal = 0;   // which one; 0: none
  std::string said;
};

/// Runs `act` in a child process. Its status is 0 if `act` returns and 1 if it throws; after half a
/// minute SIGALRM ends it. Nothing of the child is destroyed, and no sanitizer looks for its leaks.
template <class Act>
ChildEnd end_of(Act&& act) {
  constexpr unsigned patience_s = 30;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(patience_s);
    dup2(ends[1], STDERR_FILENO);
    try {
      std::forward<Act>(act)();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  ChildEnd end;
  char buffer[512];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    end.said.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

/// The condition of the assertion that `act` breaks, as it stands in the code; else a line that
/// says how the child ended instead.
template <class Act>
std::string assertion_broken_by(Act&& act) {
  constexpr std::string_view before = ": assertion failed: ";
  const ChildEnd end = end_of(std::forward<Act>(act));
  const std::size_t at = end.said.find(before);
  if (end.status != 70 || at == end.said.npos)
    return "none: status " + std::to_string(end.status) + ", " + end.said;
  const std::size_t start = at + before.size();
  return end.said.substr(start, end.said.find('\n', start) - start);
}

}  // namespace actord::support
