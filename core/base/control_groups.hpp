// SPDX-License-Identifier: Apache-2.0
//
// What the control groups of a process allow it. Both versions of the interface are read: `groups`
// is its /proc/self/cgroup, `root` the folder in which they are mounted. A limit of a parent group
// counts too.
#pragma once

#include <cstdint>
#include <string>

namespace actord::base {

inline const std::string own_groups = "/proc/self/cgroup";
inline const std::string groups_root = "/sys/fs/cgroup";

/// The time they give it, as a number of CPUs rounded up; UINT_MAX: no limit.
unsigned cpus_by_quota(const std::string& groups = own_groups,
                       const std::string& root = groups_root);

/// Bytes; UINT64_MAX: no limit.
std::uint64_t memory_by_limit(const std::string& groups = own_groups,
                              const std::string& root = groups_root);

}  // namespace actord::base
