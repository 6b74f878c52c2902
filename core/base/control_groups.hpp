// SPDX-License-Identifier: Apache-2.0
//
// The limits that control groups set for a process. Both versions of the interface are read.
// `groups` is the process's /proc/self/cgroup, `root` the folder in which the groups are mounted. A
// limit of a parent group counts too.
#pragma once

#include <cstdint>
#include <string>

namespace actord::base {

inline const std::string own_groups = "/proc/self/cgroup";
inline const std::string groups_root = "/sys/fs/cgroup";

/// The CPU quota, as a number of CPUs rounded up; UINT_MAX: no limit.
unsigned cpu_quota(const std::string& groups = own_groups, const std::string& root = groups_root);

/// The limit on memory in bytes; UINT64_MAX: no limit.
std::uint64_t memory_limit(const std::string& groups = own_groups,
                           const std::string& root = groups_root);

}  // namespace actord::base
