// SPDX-License-Identifier: Apache-2.0
#include "sched/cpu_count.hpp"

#include <sched.h>

#include <algorithm>

#include "base/control_groups.hpp"

namespace actord::sched {

// hardware_concurrency() ignores the affinity mask in some libraries, and the quota in all.
unsigned available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const auto by_mask = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::min(by_mask, base::cpu_quota());
}

}  // namespace actord::sched
