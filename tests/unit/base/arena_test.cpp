// SPDX-License-Identifier: Apache-2.0
//
// Which part of an arena a core dump contains, as the kernel tells it.
#include "base/arena.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace actord::base {

TEST_SUITE_BEGIN("base/arena");

namespace {

/// Whether a core dump contains the page at `address`.
bool is_dumped(const std::byte* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-')
      is_inside = wanted >= begin && wanted < end;
    else if (is_inside && line.starts_with("VmFlags:")) return line.find(" dd") == line.npos;
  }
  FAIL("the kernel does not list the page");
  return false;
}

}  // namespace

TEST_CASE("a core dump contains the part of an arena that is used, and not the reserved rest") {
  constexpr std::size_t size = std::size_t{1} << 30;
  Arena arena(size);
  REQUIRE(arena.size() == size);
  CHECK_FALSE(is_dumped(arena.base()));
  arena.use(1);
  CHECK(is_dumped(arena.base()));
  CHECK_FALSE(is_dumped(arena.base() + size / 2));
  arena.use(size / 2 + 1);
  CHECK(is_dumped(arena.base() + size / 2));
  CHECK_FALSE(is_dumped(arena.base() + size - 1));
  arena.use(1);
  arena.use(size);
  CHECK(is_dumped(arena.base() + size - 1));
}

TEST_SUITE_END();

}  // namespace actord::base
