// SPDX-License-Identifier: Apache-2.0
#include "os/host_setup.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>

namespace actord::os {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool may_limit_memory = false;  // a sanitizer reserves terabytes
#else
constexpr bool may_limit_memory = true;
#endif

base::Result<void, SystemError> limit(__rlimit_resource what, std::uint64_t most,
                                      const char* doing) {
  // A lower limit of this process holds already, and cannot be raised.
  rlimit now = {};
  if (::getrlimit(what, &now) != 0) return system_error(doing, errno);
  most = std::min<std::uint64_t>(most, now.rlim_max);
  const rlimit wanted = {most, most};
  if (::setrlimit(what, &wanted) != 0) return system_error(doing, errno);
  return {};
}

}  // namespace

void begin_as_host() noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  std::signal(SIGPIPE, SIG_IGN);
  // Signals that are ignored would also be so in programs that the plugin runs.
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2})
    ::sigaction(signal, &action, nullptr);
}

void begin_as_forked_host(int socket, int number) noexcept {
  begin_as_host();
  ::dup2(socket, number);
  ::setpgid(0, 0);
}

base::Result<void, SystemError> limit_host(const HostLimits& limits) {
  if (!limits.may_dump_core) {
    if (auto done = limit(RLIMIT_CORE, 0, "cannot limit its core dumps"); !done) return done;
  }
  if (limits.nofile != 0) {
    if (auto done = limit(RLIMIT_NOFILE, limits.nofile, "cannot limit its open files"); !done)
      return done;
  }
  if (limits.memory_max != 0 && may_limit_memory)
    return limit(RLIMIT_AS, limits.memory_max, "cannot limit its memory");
  return {};
}

void name_this_thread(const char* name) noexcept { ::pthread_setname_np(::pthread_self(), name); }

void wait_for_end() noexcept {
  for (;;) ::pause();
}

bool is_socket(int fd) noexcept {
  struct stat status = {};
  return ::fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace actord::os
