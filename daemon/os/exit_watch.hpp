// SPDX-License-Identifier: Apache-2.0
//
// Detects that other code, also in libraries loaded later, exits this process by exit(), _exit(),
// _Exit() or quick_exit(), or by pthread_exit() or thrd_exit() a thread without which the process
// is of no use. Direct system calls are not detected.
//
// Not here: signals (crash_handler.hpp).
#pragma once

#include <string_view>

namespace actord::os {

class ExitReporter {
 public:
  /// Called on the exiting thread; `call` is such as "exit(0)". Static destructors and handlers of
  /// atexit() have not run yet, unless the C library itself has called exit(), as err(3) does.
  /// Called once: a second exit, on another thread, waits for ever. Must end the process by
  /// exit_at_once().
  virtual void on_exit(std::string_view call) noexcept = 0;

  /// Whether the process needs the calling thread, which is not the main thread, so that
  /// pthread_exit() on it counts as an exit.
  virtual bool needs_this_thread() noexcept = 0;

 protected:
  ~ExitReporter() = default;
};

/// Reports exits to `reporter` from now on; null: exits are not reported. One reporter in a
/// process.
void report_exits(ExitReporter* reporter);

/// exit() for the program itself: it is not reported. Exits that static destructors request
/// meanwhile are.
[[noreturn]] void exit_normally(int status);

}  // namespace actord::os
