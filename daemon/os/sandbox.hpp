// SPDX-License-Identifier: Apache-2.0
//
// Gives up the rights of this process, before it runs code that is not trusted.
//
// What is left is to compute, to read files, to start threads, and to write to descriptors that are
// open: no file can be created, changed or removed, no socket opened, no program run, and no other
// process reached.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace actord::os {

/// The id of the user `nobody` and of its group, which own no file on any Linux.
inline constexpr unsigned unprivileged_user = 65534;

struct SandboxLimits {
  std::int64_t cpu_s = 0;
  std::uint64_t memory_bytes = 0;  // address space; not limited in builds with a sanitizer
};

/// Called once, while the process has one thread. Root becomes the unprivileged user; the kernel
/// kills the process when the thread that started it ends; nothing that it does leaves a core dump.
/// Returns what the system has refused, one sentence for each: the process goes on without that.
std::vector<std::string> enter_sandbox(const SandboxLimits& limits);

}  // namespace actord::os
