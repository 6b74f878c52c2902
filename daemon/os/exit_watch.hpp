// SPDX-License-Identifier: Apache-2.0
//
// Exits of this process that somebody else's code has asked for: exit(), _exit() and _Exit(), also
// in libraries that are loaded later. Whoever quits in another way, by a system call of its own or
// by quick_exit(), is not seen.
//
// Not here: signals (crash_handler.hpp).
#pragma once

namespace actord::os {

class ExitReporter {
 public:
  /// On the thread that exits; with exit() while whatever handlers were registered before are still
  /// to run. May end the process by exit_at_once(), which nobody hears of; else the exit goes on.
  virtual void on_exit(int status) noexcept = 0;

 protected:
  ~ExitReporter() = default;
};

/// From now on `reporter` hears of exits; null: nobody. One in a process.
void report_exits(ExitReporter* reporter);

}  // namespace actord::os
