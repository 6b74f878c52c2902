// SPDX-License-Identifier: Apache-2.0
//
// Another process, run to its end for what it says: for work that may take its process down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct ChildEnd {
  enum class Kind : std::uint8_t { exited, by_signal, out_of_time };
  Kind kind = Kind::exited;
  int number = 0;    // exit status, or signal
  std::string said;  // the last of its standard output, at most 4 KiB
};

/// Runs `executable` with `arguments` and waits for its end, at most `limit_ns`; then it is killed.
/// It has this environment and standard error, and no input, blocked signal or other descriptor of
/// this process. Any thread, whichever others run.
base::Result<ChildEnd, SystemError> run_child(const std::string& executable,
                                              const std::vector<std::string>& arguments,
                                              std::int64_t limit_ns);

/// In a child: the system kills it when the thread that runs it is gone.
void end_with_parent() noexcept;

}  // namespace actord::os
