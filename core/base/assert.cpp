// SPDX-License-Identifier: Apache-2.0
#include "base/assert.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

namespace actord::base {

void assertion_failed(const char* file, int line, const char* text) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
  std::fflush(stderr);
  // Not by _Exit(), which the daemon takes for an exit by a plugin.
  for (;;) ::syscall(SYS_exit_group, 70);
}

}  // namespace actord::base
