// SPDX-License-Identifier: Apache-2.0
#include "app/settled_names.hpp"

#include <doctest/doctest.h>

TEST_SUITE_BEGIN("app/settled_names");

using actord::app::SettledNames;
using Names = std::vector<std::string>;

TEST_CASE("a name is due when its file was left alone, and only once") {
  SettledNames names;
  CHECK_FALSE(names.next_ns().has_value());
  names.touch("echo", 0);
  CHECK(names.next_ns() == SettledNames::quiet_ns);
  CHECK(names.take(SettledNames::quiet_ns - 1).empty());
  CHECK(names.take(SettledNames::quiet_ns) == Names{"echo"});
  CHECK(names.take(2 * SettledNames::quiet_ns).empty());
  CHECK_FALSE(names.next_ns().has_value());
}

TEST_CASE("each change of a file begins its time again, and no other file waits for it") {
  SettledNames names;
  names.touch("bank", 0);
  names.touch("echo", 0);
  names.touch("echo", 100);
  CHECK(names.next_ns() == SettledNames::quiet_ns);
  CHECK(names.take(SettledNames::quiet_ns) == Names{"bank"});
  CHECK(names.next_ns() == SettledNames::quiet_ns + 100);
  CHECK(names.take(SettledNames::quiet_ns + 100) == Names{"echo"});
}
