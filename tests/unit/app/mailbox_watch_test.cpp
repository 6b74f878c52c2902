// SPDX-License-Identifier: Apache-2.0
//
// When a figure is told. What is told, and to whom, is tested with the daemon.
#include "app/mailbox_watch.hpp"

#include <doctest/doctest.h>

namespace actord::app {

TEST_SUITE_BEGIN("app/mailbox_watch");

TEST_CASE("a figure is told once for each share that it passes") {
  Highwater highwater({2, 4, 8});
  CHECK_FALSE(highwater.rises(199, 800));
  CHECK(highwater.rises(200, 800));
  CHECK_FALSE(highwater.rises(399, 800));
  CHECK(highwater.rises(400, 800));
  CHECK_FALSE(highwater.rises(250, 800));
  CHECK_FALSE(highwater.rises(400, 800));
  CHECK(highwater.rises(900, 800));
  CHECK_FALSE(highwater.rises(10'000, 800));
}

TEST_CASE("a figure that passes several shares at once is told once") {
  Highwater highwater({2, 4, 8});
  CHECK(highwater.rises(800, 800));
  CHECK_FALSE(highwater.rises(800, 800));
}

TEST_CASE("a figure is told again after it was low, which is half of the first share") {
  Highwater highwater({2, 4, 8});
  CHECK(highwater.rises(300, 800));
  CHECK_FALSE(highwater.rises(100, 800));
  CHECK(highwater.is_high());
  CHECK_FALSE(highwater.rises(300, 800));
  CHECK_FALSE(highwater.rises(99, 800));
  CHECK_FALSE(highwater.is_high());
  CHECK(highwater.rises(300, 800));
}

TEST_CASE("no limit is never passed") {
  Highwater highwater({2, 4, 8});
  CHECK_FALSE(highwater.rises(std::size_t{1} << 40, SIZE_MAX));
}

TEST_SUITE_END();

}  // namespace actord::app
