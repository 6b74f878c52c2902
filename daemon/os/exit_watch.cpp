// SPDX-License-Identifier: Apache-2.0
#include "os/exit_watch.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "os/process.hpp"

namespace actord::os {

namespace {

// A global, because the C library passes no argument. The store in report_exits() pairs with the
// load in call_reporter() (seq_cst): the exiting thread sees a completely constructed reporter.
std::atomic<ExitReporter*> exit_reporter{nullptr};

void call_reporter(int status) noexcept {
  if (ExitReporter* const reporter = exit_reporter.load()) reporter->on_exit(status);
}

}  // namespace

void report_exits(ExitReporter* reporter) {
  [[maybe_unused]] static const int registered =
      ::on_exit([](int status, void*) { call_reporter(status); }, nullptr);
  exit_reporter.store(reporter);
}

}  // namespace actord::os

// These replace the C library's functions for every library of the process, because the dynamic
// linker finds the executable's symbols first. exit() does not call them; on_exit() above covers
// it.
extern "C" {

void _exit(int status) {
  actord::os::call_reporter(status);
  actord::os::exit_at_once(status);
}

void _Exit(int status) noexcept { ::_exit(status); }
}
