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

/// The number under which a child has the descriptor that it inherits.
inline constexpr int inherited_descriptor = 3;

struct ChildCall {
  std::string executable;
  std::vector<std::string> arguments;
  std::string_view input;  // its standard input, which it can read from the beginning on
  int inherited = -1;      // a descriptor that the child gets as `inherited_descriptor`; -1: none
  int cancelled = -1;      // the child is killed when this descriptor becomes readable; -1: never
  std::size_t output_bytes_max = 0;  // of its standard output
  std::int64_t limit_ns = 0;
};

struct ChildEnd {
  /// timed_out, too_much_output, cancelled: it was killed for that.
  enum class Kind : std::uint8_t { exited, by_signal, timed_out, too_much_output, cancelled };
  Kind kind = Kind::exited;
  int number = 0;  // exit status, or signal number
  std::string output;
};

/// Runs a process and waits for its end. The child has this process's environment, nothing as its
/// standard error, no blocked signals and no other descriptors of this process than those that
/// `call` names. Threads: any, at any time.
base::Result<ChildEnd, SystemError> run_child(const ChildCall& call);

}  // namespace actord::os
