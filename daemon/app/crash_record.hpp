// SPDX-License-Identifier: Apache-2.0
//
// Writes one line when the process crashes: the signal, the actor with its plugin and message
// (supervision.md 97, 179j), or the plugin that was being loaded. The line is JSON in the
// form of the log, but it is written directly to the descriptor. Lines that the log still holds in
// memory are lost.
#pragma once

#include <string_view>

#include "os/crash_handler.hpp"
#include "sinks/json_lines.hpp"

namespace actord::app {

/// While an object of this class lives, a crash of this process writes an event `daemon.crashed` to
/// standard error, and to the log if the log is JSON and goes elsewhere. Then the signal takes its
/// default action.
///
/// Threads: main thread; one object in a process. Worker threads call os::use_crash_stack().
class CrashRecord final : os::CrashReporter {
 public:
  /// `log_fd`: descriptor of the JSON log; -1: none.
  CrashRecord(const sinks::JsonEnvelope& envelope, int log_fd);
  ~CrashRecord();
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

 private:
  /// Runs in the signal handler, so it uses neither locks nor the heap.
  void report(const os::Crash& crash) noexcept override;

  const int log_fd_;
  // What stands before the line on standard error: on a terminal there may be a line of progress.
  const std::string_view before_;
  sinks::JsonLines lines_;
  sinks::LineBuffer buffer_;  // allocated in advance, because a signal handler cannot allocate
};

}  // namespace actord::app
