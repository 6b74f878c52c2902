// SPDX-License-Identifier: Apache-2.0
#include "os/exit_watch.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "os/process.hpp"

namespace actord::os {

namespace {

// What the C library calls is given nothing: what it needs cannot be anybody's member. The store in
// report_exits() pairs with the load in tell() (seq_cst): whoever exits sees the reporter whole.
std::atomic<ExitReporter*> exit_reporter{nullptr};

void tell(int status) noexcept {
  if (ExitReporter* const reporter = exit_reporter.load()) reporter->on_exit(status);
}

}  // namespace

void report_exits(ExitReporter* reporter) {
  [[maybe_unused]] static const int registered =
      ::on_exit([](int status, void*) { tell(status); }, nullptr);
  exit_reporter.store(reporter);
}

}  // namespace actord::os

// In the place of the C library's, for every library of the process: the dynamic linker finds the
// executable's first. exit() does not come by here.
extern "C" {

void _exit(int status) {
  actord::os::tell(status);
  actord::os::exit_at_once(status);
}

void _Exit(int status) noexcept { ::_exit(status); }
}
