// SPDX-License-Identifier: Apache-2.0
//
// Runs another process to its end and returns its output: for work that may crash its process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct ChildEnd {
  enum class Kind : std::uint8_t { exited, by_signal, timed_out };
  Kind kind = Kind::exited;
  int number = 0;      // exit status, or signal number
  std::string output;  // the end of its standard output, at most 4 KiB
};

/// Runs `executable` with `arguments` and waits for its end. It is killed after `limit_ns`. The
/// child has this process's environment and standard error, no input, no blocked signals and no
/// other descriptors of this process. Threads: any, at any time.
base::Result<ChildEnd, SystemError> run_child(const std::string& executable,
                                              const std::vector<std::string>& arguments,
                                              std::int64_t limit_ns);

/// Called in a child: the kernel kills the process when the thread that started it ends.
void end_with_parent() noexcept;

}  // namespace actord::os
