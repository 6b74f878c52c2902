// SPDX-License-Identifier: Apache-2.0
#include "os/call_stack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "os/files.hpp"
#include "os/process.hpp"

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

TEST_CASE("a call is described in another process by its file, the offset and the build id") {
  CallStack::prepare();
  CallStack stack;
  REQUIRE(capture_from_here(stack) == 1);
  std::vector<std::string> calls;
  std::string other_build;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const auto place = stack.place(i);
    if (!place) continue;
    const std::string file = *place->file != '\0' ? place->file : real_path(own_executable);
    std::string id;
    for (const unsigned char byte : place->build_id) {
      id += "0123456789abcdef"[byte >> 4];
      id += "0123456789abcdef"[byte & 15];
    }
    calls.push_back(CallStack::described(file, place->offset, id));
    other_build = CallStack::described(file, place->offset, "00" + id);
  }
  CHECK(is_named(calls, "capture_from_here(actord::os::CallStack&) (unit-"));
  CHECK(is_named(calls, "main (unit-"));
  CHECK(other_build.find("+0x") != other_build.npos);
  CHECK_FALSE(stack.place(stack.size()).has_value());
}

TEST_CASE("a thread outside of exit() runs no destructor for it") {
  CallStack::prepare();
  CallStack stack;
  stack.capture(nullptr);
  CHECK(stack.file_called_by_exit().empty());
}

TEST_SUITE_END();

}  // namespace actord::os
