// SPDX-License-Identifier: Apache-2.0
#include "os/sibling.hpp"

#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace actord::os {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

int fork_sibling() noexcept {  // the sanitizers must know of a fork, and know only that of glibc
  errno = ENOSYS;
  return -1;
}

#else

int fork_sibling() noexcept {
  // glibc keeps the id of a thread in memory and needs that of the new one there. The kernel knows
  // the place, since it clears it at the end of the thread.
  std::uintptr_t thread_id = 0;
  if (::prctl(PR_GET_TID_ADDRESS, &thread_id, 0, 0, 0) != 0 || thread_id == 0) {
    errno = ENOSYS;
    return -1;
  }
  // clone3() has no such flags where it can be seen by filters of system calls, which therefore
  // forbid it, as RestrictNamespaces= of systemd does. The new process has the exit signal of this
  // one.
  constexpr unsigned long flags =
      CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__aarch64__)
  return static_cast<int>(::syscall(SYS_clone, flags, 0, 0, 0, thread_id));
#else
  return static_cast<int>(::syscall(SYS_clone, flags, 0, 0, thread_id, 0));
#endif
}

#endif

}  // namespace actord::os
