// SPDX-License-Identifier: Apache-2.0
//
// Detects exits of this process that libraries request by exit(), _exit() or _Exit(), also in
// libraries loaded later. Direct system calls and quick_exit() are not detected.
//
// Not here: signals (crash_handler.hpp).
#pragma once

namespace actord::os {

class ExitReporter {
 public:
  /// Called on the exiting thread. With exit(), handlers that were registered earlier have not run
  /// yet. May end the process by exit_at_once(), which is not reported; otherwise the exit
  /// continues.
  virtual void on_exit(int status) noexcept = 0;

 protected:
  ~ExitReporter() = default;
};

/// Reports exits to `reporter` from now on; null: exits are not reported. One reporter in a
/// process.
void report_exits(ExitReporter* reporter);

}  // namespace actord::os
