// SPDX-License-Identifier: Apache-2.0
#include "actor/mailbox_limits.hpp"

#include <doctest/doctest.h>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/mailbox_limits");

TEST_CASE("a row belongs to one tenant of its cell") {
  CellPool cells({1024, 16, 16});
  MailboxLimits limits(cells);
  Cell& cell = cells.at(5);
  cell.generation.store(7);
  CHECK(limits.find(cell) == nullptr);
  limits.set(cell, {3, Overflow::drop_old, 50});
  REQUIRE(limits.find(cell) != nullptr);
  const MailboxLimit limit = limits.find(cell)->limit();
  CHECK(limit.capacity == 3);
  CHECK(limit.overflow == Overflow::drop_old);
  CHECK(limit.push_timeout_ns == 50);
  CHECK(limits.find(cells.at(6)) == nullptr);
  limits.find(cell)->note_overflow(0);
  cell.generation.store(8);
  CHECK(limits.find(cell) == nullptr);
  limits.set(cell, {4, Overflow::wait, 60});
  CHECK(limits.find(cell)->limit().capacity == 4);
  CHECK(limits.find(cell)->overflows.load() == 0);
}

TEST_CASE("overflows are counted one by one, and told of once in ten seconds") {
  constexpr std::int64_t second = 1'000'000'000;
  MailboxLimits::Row row;
  row.told_until.store(INT64_MIN);
  CHECK(row.note_overflow(5 * second) == 1);
  for (int i = 0; i < 10; ++i) CHECK(row.note_overflow(14 * second) == 0);
  CHECK(row.note_overflow(15 * second) == 11);
  CHECK(row.note_overflow(16 * second) == 0);
  CHECK(row.overflows.load() == 13);
}

TEST_SUITE_END();

}  // namespace actord::actor
