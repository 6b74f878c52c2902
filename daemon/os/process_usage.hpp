// SPDX-License-Identifier: Apache-2.0
//
// What a process of this user takes up.
#pragma once

#include <cstddef>
#include <cstdint>

namespace actord::os {

struct ProcessUsage {
  std::int64_t cpu_ns = 0;         // of all its threads since its start
  std::size_t resident_bytes = 0;  // pages that processes share count in each of them
};

/// All zero if there is no such process. Takes some microseconds.
ProcessUsage usage_of(int process);

}  // namespace actord::os
