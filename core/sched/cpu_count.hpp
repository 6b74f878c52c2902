// SPDX-License-Identifier: Apache-2.0
//
// How many workers make sense here.
#pragma once

namespace actord::sched {

/// CPUs that this process may use at once: those of its affinity mask, or fewer where a control
/// group limits the time it gets, rounded up. At least 1.
unsigned available_cpus();

}  // namespace actord::sched
