// SPDX-License-Identifier: Apache-2.0
#include "hocon/origin.hpp"

#include <doctest/doctest.h>

#include <string>

namespace actord::hocon {

TEST_SUITE_BEGIN("hocon/origin");

TEST_CASE("every line of a long file is found, and none beyond its end") {
  constexpr std::uint32_t lines = 1000;
  std::string text;
  for (std::uint32_t line = 1; line <= lines; ++line)
    text += std::to_string(line) + (line % 3 == 0 ? "\r\n" : "\n");
  SourceFiles files;
  const std::uint32_t file = files.add("long.conf", text);
  for (std::uint32_t line = 1; line <= lines; ++line)
    CHECK(files.line({file, line, 1}) == std::to_string(line));
  CHECK(files.line({file, lines + 1, 1}).empty());
  CHECK(files.line({file, lines + 1000, 1}).empty());
  CHECK(files.line({file, 0, 0}).empty());
  CHECK(files.line({files.add("empty.conf", ""), 1, 1}).empty());
}

// With a quadratic algorithm this would take minutes.
TEST_CASE("very many lines are found in no time") {
  constexpr std::uint32_t lines = 300'000;
  std::string text;
  for (std::uint32_t line = 1; line <= lines; ++line) text += "a line\n";
  SourceFiles files;
  const std::uint32_t file = files.add("huge.conf", text);
  for (std::uint32_t line = 1; line <= lines; ++line)
    REQUIRE(files.line({file, line, 1}) == "a line");
}

TEST_SUITE_END();

}  // namespace actord::hocon
