// SPDX-License-Identifier: Apache-2.0
//
// Last words of a process that a signal of its own doing ends: SIGSEGV, SIGBUS, SIGFPE, SIGILL and
// SIGABRT, which is also what std::terminate comes to.
//
// Nothing goes on after such a signal. The words are said, then the signal takes its course: exit
// status and core dump are those of the crash itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::os {

struct Crash {
  std::string_view signal;     // "SIGSEGV"
  std::uintptr_t address = 0;  // that was accessed, or of the instruction; 0 if that means nothing
  bool has_address = false;
  bool is_second = false;  // saying it crashed, too: say as little as possible
  int thread_id = 0;
};

/// Who says them. Called on the thread that crashed, in the handler of its signal: only what is
/// async-signal-safe is allowed there, so neither locks nor the heap.
class CrashReporter {
 public:
  virtual void report(const Crash& crash) noexcept = 0;

 protected:
  ~CrashReporter() = default;
};

/// False in a build with a sanitizer that handles these signals itself, and better.
extern const bool can_report_crashes;

/// From now on `reporter` hears of crashes, if that can be; null: nobody, and the signals do what
/// they do by default. Main thread; one reporter in a process.
void report_crashes(CrashReporter* reporter);

/// Gives the calling thread, until it ends, a stack to say its last words on, so that it can also
/// tell that its own one overflowed. Does nothing where crashes are not reported, and where there
/// is no memory for it.
void use_crash_stack() noexcept;

/// Writes all of it if the descriptor takes it. Async-signal-safe.
void write_last_words(int fd, std::string_view text) noexcept;

/// Whether both lead to one place: the same file, pipe or terminal.
bool is_same_file(int fd, int other) noexcept;

}  // namespace actord::os
