// SPDX-License-Identifier: Apache-2.0
#include "sched/cpu_count.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <thread>

namespace actord::sched {

TEST_SUITE_BEGIN("sched/cpu_count");

TEST_CASE("the affinity mask of the process counts") {
  unsigned cpus = 0;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    cpus = available_cpus();
  }).join();
  CHECK(cpus == 1);
  CHECK(available_cpus() >= 1);
}

TEST_SUITE_END();

}  // namespace actord::sched
