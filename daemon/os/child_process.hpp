// SPDX-License-Identifier: Apache-2.0
//
// Runs another process to its end and returns its output: for work that may crash its process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct ChildCall {
  std::string executable;
  std::vector<std::string> arguments;
  std::string_view input;            // its standard input, which it can read from the beginning on
  std::size_t output_bytes_max = 0;  // of its standard output
  std::int64_t limit_ns = 0;
};

struct ChildEnd {
  /// timed_out, too_much_output: it was killed for that.
  enum class Kind : std::uint8_t { exited, by_signal, timed_out, too_much_output };
  Kind kind = Kind::exited;
  int number = 0;  // exit status, or signal number
  std::string output;
};

/// Runs a process and waits for its end. The child has this process's environment, nothing as its
/// standard error, no blocked signals and no other descriptors of this process. Threads: any, at
/// any time.
base::Result<ChildEnd, SystemError> run_child(const ChildCall& call);

}  // namespace actord::os
