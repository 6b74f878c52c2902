// SPDX-License-Identifier: Apache-2.0
#include "os/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "base/clock.hpp"
#include "base/control_groups.hpp"
#include "os/files.hpp"
#include "os/process_usage.hpp"

namespace actord::os {

int process_id() noexcept { return ::getpid(); }
int thread_id() noexcept { return ::gettid(); }

std::string executable_folder() {
  const std::string file = real_path(own_executable);
  return file == own_executable ? std::string{} : file.substr(0, file.rfind('/'));
}

std::size_t available_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  const std::size_t bytes = pages > 0 && page_bytes > 0 ? static_cast<std::size_t>(pages) *
                                                              static_cast<std::size_t>(page_bytes)
                                                        : SIZE_MAX;
  return std::min<std::size_t>(bytes, base::memory_limit());
}

std::size_t resident_memory() { return usage_of(process_id()).resident_bytes; }

std::uint64_t new_boot_id() {
  std::uint64_t id = 0;
  // Fails only on kernels without getrandom(). Then the time and the process id serve as a boot
  // id.
  if (::getrandom(&id, sizeof id, 0) != static_cast<ssize_t>(sizeof id)) {
    id = static_cast<std::uint64_t>(base::monotonic_ns()) << 22 ^
         static_cast<std::uint64_t>(process_id());
  }
  id >>= 24;  // 40 bits are eight letters in base 32, short enough to be read aloud
  return id != 0 ? id : 1;
}

bool is_on_terminal() noexcept {
  return ::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0 ||
         ::isatty(STDERR_FILENO) != 0;
}

std::optional<std::string> environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

std::optional<std::int64_t> number_of_variable(const char* name) {
  const std::optional<std::string> text = environment_variable(name);
  std::int64_t number = 0;
  if (!text) return std::nullopt;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end || number <= 0) return std::nullopt;
  return number;
}

const char* const* environment() noexcept { return environ; }

void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free number, and the lower ones are occupied already.
    if (::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      throw std::system_error(errno, std::system_category(), "cannot open /dev/null");
  }
}

int take_standard_output() {
  const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw std::system_error(errno, std::system_category(), "cannot use standard output");
  return own;
}

void permit_core_dumps(bool is_permitted) noexcept {
  ::prctl(PR_SET_DUMPABLE, is_permitted ? 1 : 0);
}

void ignore_broken_pipes() noexcept { std::signal(SIGPIPE, SIG_IGN); }

void exit_at_once(int status) noexcept {
  for (;;) ::syscall(SYS_exit_group, status);
}

}  // namespace actord::os
