// SPDX-License-Identifier: Apache-2.0
#include "os/call_stack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace actord::os {

TEST_SUITE_BEGIN("os/call_stack");

namespace {

// Has external linkage nowhere: its name is only in the symbol table of the file.
[[gnu::noinline]] int capture_from_here(CallStack& stack) {
  stack.capture(nullptr);
  return 1;
}

bool is_named(const std::vector<std::string>& calls, const std::string& part) {
  return std::ranges::any_of(calls,
                             [&](const std::string& each) { return each.find(part) != each.npos; });
}

}  // namespace

TEST_CASE("a stack names functions that no library exports, and those of libraries") {
  CallStack::prepare();
  CallStack stack;
  REQUIRE(capture_from_here(stack) == 1);
  const std::vector<std::string> calls = stack.described();
  REQUIRE_FALSE(calls.empty());
  CHECK(is_named(calls, "capture_from_here(actord::os::CallStack&) (unit-"));
  CHECK(is_named(calls, "main (unit-"));
  CHECK(is_named(calls, "(libc.so.6)"));
}

TEST_CASE("a thread outside of exit() runs no destructor for it") {
  CallStack::prepare();
  CallStack stack;
  stack.capture(nullptr);
  CHECK(stack.file_called_by_exit().empty());
}

TEST_SUITE_END();

}  // namespace actord::os
