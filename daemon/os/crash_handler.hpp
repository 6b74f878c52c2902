// SPDX-License-Identifier: Apache-2.0
//
// Reports that a signal caused by the process itself ends it: SIGSEGV, SIGBUS, SIGFPE, SIGILL and
// SIGABRT, which std::terminate raises too.
//
// The process does not continue after such a signal. The crash is reported, then the signal takes
// its default action, so that exit status and core dump are those of the crash itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::os {

struct Crash {
  std::string_view signal;  // "SIGSEGV"
  // address that was accessed, or of the instruction; 0 without has_address
  std::uintptr_t address = 0;
  bool has_address = false;
  bool is_second = false;  // the report itself crashed: report as little as possible
  bool is_own = true;      // false: another process has sent the signal
  bool is_hang = false;    // it was sent to end a thread that does not go on: this one
  int thread_id = 0;
  const void* program_counter = nullptr;  // where the thread was; null: not known
};

/// Receives the crash. Called in the signal handler on the crashed thread, so only
/// async-signal-safe functions may be used: no locks and no heap.
class CrashReporter {
 public:
  virtual void report(const Crash& crash) noexcept = 0;

 protected:
  ~CrashReporter() = default;
};

/// False in a build whose sanitizer handles these signals itself.
extern const bool can_report_crashes;

/// Reports crashes to `reporter` from now on, if can_report_crashes; null: the signals take their
/// default actions. Threads: main thread; one reporter in a process.
void report_crashes(CrashReporter* reporter);

/// From now on a SIGABRT of another process, such as the service manager, is passed on to this
/// thread of the process, which does not go on: the report and the core dump are about what it
/// does. If it does not take the signal within 2 s, another thread reports. 0: it is not passed on.
/// Threads: any.
void pass_aborts_on_to(int thread_id) noexcept;

/// Gives the calling thread an alternate signal stack until the thread ends, so that an overflow of
/// its own stack can be reported. Does nothing if crashes are not reported or memory is lacking.
void use_crash_stack() noexcept;

/// Whether both descriptors refer to the same file, pipe or terminal.
bool is_same_file(int fd, int other) noexcept;

}  // namespace actord::os
