// SPDX-License-Identifier: Apache-2.0
//
// The number of CPUs that this process may use.
#pragma once

namespace actord::sched {

/// CPUs that this process may use at once: those of its affinity mask, or the CPU quota of its
/// control groups, rounded up, if that is less. At least 1. Any thread.
unsigned available_cpus();

}  // namespace actord::sched
