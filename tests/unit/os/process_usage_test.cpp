// SPDX-License-Identifier: Apache-2.0
#include "os/process_usage.hpp"

#include <doctest/doctest.h>

#include "os/process.hpp"
#include "support/wait.hpp"

namespace actord::os {

TEST_SUITE_BEGIN("os/process_usage");

TEST_CASE("what a process takes up is its memory, and the time that its threads have run") {
  const ProcessUsage before = usage_of(process_id());
  CHECK(before.resident_bytes > std::size_t{1} << 20);
  support::wait_until([&] { return usage_of(process_id()).cpu_ns > before.cpu_ns; },
                      "the time of the CPU");
}

TEST_CASE("a process that is not there takes up nothing") {
  CHECK(usage_of(0).resident_bytes == 0);
  CHECK(usage_of(-1).cpu_ns == 0);
}

TEST_SUITE_END();

}  // namespace actord::os
