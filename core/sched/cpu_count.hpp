// SPDX-License-Identifier: Apache-2.0
//
// How many workers make sense here.
#pragma once

#include <string>

namespace actord::sched {

/// CPUs that this process may use at once: those of its affinity mask, or fewer where a control
/// group limits the time it gets, rounded up. At least 1.
unsigned available_cpus();

/// What the control groups of a process allow, as a number of CPUs rounded up; UINT_MAX: no limit.
/// Reads both versions of the interface: `groups` is its /proc/self/cgroup, `root` the folder in
/// which they are mounted. A limit of a parent group counts too.
unsigned cpus_by_quota(const std::string& groups, const std::string& root);

}  // namespace actord::sched
