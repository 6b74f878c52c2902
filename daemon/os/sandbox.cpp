// SPDX-License-Identifier: Apache-2.0
#include "os/sandbox.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace actord::os {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool may_limit_memory = false;  // a sanitizer reserves terabytes
#else
constexpr bool may_limit_memory = true;
#endif

/// System calls that reach nothing beyond the process, or only read. open(), clone() and others
/// whose arguments decide are treated below.
constexpr std::array allowed_calls = {
    "access",
    "arch_prctl",
    "brk",
    "capget",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "close",
    "close_range",
    "dup",
    "dup2",
    "dup3",
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_wait",
    "eventfd2",
    "exit",
    "exit_group",
    "faccessat",
    "faccessat2",
    "fadvise64",
    "fstat",
    "fstatfs",
    "futex",
    "get_mempolicy",
    "get_robust_list",
    "getcpu",
    "getcwd",
    "getdents64",
    "getegid",
    "geteuid",
    "getgid",
    "getgroups",
    "getpgrp",
    "getpid",
    "getppid",
    "getrandom",
    "getresgid",
    "getresuid",
    "getrlimit",
    "getrusage",
    "gettid",
    "gettimeofday",
    "getuid",
    "lseek",
    "lstat",
    "madvise",
    "membarrier",
    "memfd_create",
    "mincore",
    "mmap",
    "mprotect",
    "mremap",
    "msync",
    "munmap",
    "nanosleep",
    "newfstatat",
    "pause",
    "pipe",
    "pipe2",
    "poll",
    "ppoll",
    "pread64",
    "preadv",
    "pselect6",
    "read",
    "readlink",
    "readlinkat",
    "readv",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "sched_getaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "sched_yield",
    "select",
    "set_robust_list",
    "set_tid_address",
    "sigaltstack",
    "stat",
    "statfs",
    "statx",
    "sysinfo",
    "time",
    "timerfd_create",
    "timerfd_gettime",
    "timerfd_settime",
    "times",
    "uname",
    "write",
    "writev",
};

/// Collects the rules of a filter. The first error stays.
class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : filter_(::seccomp_init(otherwise)) {}
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter() { ::seccomp_release(filter_); }

  /// A call that this machine does not have needs no rule.
  template <class... Conditions>
  void add(std::uint32_t action, const char* call, Conditions... conditions) {
    const int number = ::seccomp_syscall_resolve_name(call);
    if (filter_ == nullptr || number == __NR_SCMP_ERROR || error_ != 0) return;
    error_ = -::seccomp_rule_add(filter_, action, number, sizeof...(conditions), conditions...);
  }
  /// An errno; 0: the filter is in force.
  int load() {
    if (filter_ == nullptr) return ENOMEM;
    return error_ != 0 ? error_ : -::seccomp_load(filter_);
  }

 private:
  scmp_filter_ctx filter_;
  int error_ = 0;
};

constexpr scmp_datum_t bits(std::uint64_t value) { return value; }

int restrict_system_calls() {
  Filter filter(SCMP_ACT_ERRNO(EPERM));
  for (const char* const call : allowed_calls) filter.add(SCMP_ACT_ALLOW, call);
  // Files are opened only for reading.
  constexpr std::uint64_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.add(SCMP_ACT_ALLOW, "open", SCMP_A1(SCMP_CMP_MASKED_EQ, bits(writing), bits(0)));
  filter.add(SCMP_ACT_ALLOW, "openat", SCMP_A2(SCMP_CMP_MASKED_EQ, bits(writing), bits(0)));
  // Threads, no processes. The arguments of clone3() cannot be seen; glibc takes clone() instead.
  filter.add(SCMP_ACT_ALLOW, "clone",
             SCMP_A0(SCMP_CMP_MASKED_EQ, bits(CLONE_THREAD), bits(CLONE_THREAD)));
  filter.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  // Signals to this process alone, as abort() sends them.
  const auto own = static_cast<scmp_datum_t>(::getpid());
  filter.add(SCMP_ACT_ALLOW, "tgkill", SCMP_A0(SCMP_CMP_EQ, own));
  filter.add(SCMP_ACT_ALLOW, "kill", SCMP_A0(SCMP_CMP_EQ, own));
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL})
    filter.add(SCMP_ACT_ALLOW, "fcntl", SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
  for (const unsigned long request : {TCGETS, FIONREAD})
    filter.add(SCMP_ACT_ALLOW, "ioctl", SCMP_A1(SCMP_CMP_EQ, bits(request)));
  for (const int option : {PR_SET_NAME, PR_GET_NAME, PR_SET_DUMPABLE, PR_GET_DUMPABLE})
    filter.add(SCMP_ACT_ALLOW, "prctl", SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option)));
  filter.add(SCMP_ACT_ALLOW, "prlimit64", SCMP_A2(SCMP_CMP_EQ, bits(0)));  // reads a limit
  return filter.load();
}

std::string reason(int error) { return std::system_category().message(error); }

/// An errno; 0: done.
int become_unprivileged() {
  if (::setgroups(0, nullptr) != 0 ||
      ::setresgid(unprivileged_user, unprivileged_user, unprivileged_user) != 0 ||
      ::setresuid(unprivileged_user, unprivileged_user, unprivileged_user) != 0)
    return errno;
  return 0;
}

bool limit(__rlimit_resource what, std::uint64_t most) {
  const rlimit wanted{most, most};
  return ::setrlimit(what, &wanted) == 0;
}

}  // namespace

std::vector<std::string> enter_sandbox(const SandboxLimits& limits) {
  std::vector<std::string> refused;
  if (::geteuid() == 0) {
    if (const int error = become_unprivileged(); error != 0)
      refused.push_back("it runs as root, since it cannot become another user: " + reason(error));
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of the user has cleared it
  std::signal(SIGXFSZ, SIG_IGN);
  bool are_limits_set = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
                        limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.cpu_s));
  if (may_limit_memory) are_limits_set = limit(RLIMIT_AS, limits.memory_bytes) && are_limits_set;
  if (!are_limits_set) refused.push_back("its memory or its time is not limited: " + reason(errno));
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (const int error = restrict_system_calls(); error != 0)
    refused.push_back("it may use all system calls, since they cannot be filtered: " +
                      reason(error));
  return refused;
}

}  // namespace actord::os
