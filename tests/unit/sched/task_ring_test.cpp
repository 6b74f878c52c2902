// SPDX-License-Identifier: Apache-2.0
#include "sched/task_ring.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/dies.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/task_ring");

using support::assertion_broken_by;

TEST_CASE("a ring that has grown keeps the order of its tasks, at both ends") {
  std::vector<Task> tasks(200);
  TaskRing ring;
  for (std::size_t i = 100; i < 200; ++i) ring.push_back(&tasks[i]);
  for (std::size_t i = 100; i-- > 0;) ring.push_front(&tasks[i]);
  CHECK(ring.size() == 200);
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(ring.pop_front() == &tasks[i]);
    CHECK(ring.pop_back() == &tasks[199 - i]);
  }
  CHECK(ring.size() == 0);
}

TEST_CASE("to take a task from an empty ring is a bug") {
  TaskRing ring;
  CHECK(assertion_broken_by([&] { ring.pop_front(); }) == "size_ != 0");
  CHECK(assertion_broken_by([&] { ring.pop_back(); }) == "size_ != 0");
}

TEST_SUITE_END();

}  // namespace actord::sched
