// SPDX-License-Identifier: Apache-2.0
//
// One line about the end of a process that crashed: which signal, and which actor of which plugin
// was doing what (supervision.md 97, 179j), or which plugin was being loaded. In the form of the
// log, but not through it: whatever the log still holds in memory is lost.
#pragma once

#include "os/crash_handler.hpp"
#include "sinks/json_lines.hpp"

namespace actord::app {

/// While it lives, a crash of this process writes an event `daemon.crashed` to standard error, and
/// to the log where that is JSON and goes elsewhere. Then the signal does what it does by default.
///
/// Main thread; one in a process. Workers call os::use_crash_stack().
class CrashRecord final : os::CrashReporter {
 public:
  /// `log_fd`: where JSON lines of the log go; -1: nowhere.
  CrashRecord(const sinks::JsonEnvelope& envelope, int log_fd);
  ~CrashRecord();
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

 private:
  void report(const os::Crash& crash) noexcept override;

  const int log_fd_;
  sinks::JsonLines lines_;
  sinks::LineBuffer buffer_;  // with room for everything: nothing can be allocated then
};

}  // namespace actord::app
