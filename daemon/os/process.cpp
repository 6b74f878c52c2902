// SPDX-License-Identifier: Apache-2.0
#include "os/process.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/clock.hpp"
#include "os/files.hpp"

namespace actord::os {

int process_id() noexcept { return ::getpid(); }

std::string executable_folder() {
  constexpr const char* link = "/proc/self/exe";
  const std::string file = real_path(link);
  return file == link ? std::string{} : file.substr(0, file.rfind('/'));
}

std::uint64_t new_boot_id() {
  std::uint64_t id = 0;
  // It fails only on kernels without it; then time and process tell runs apart well enough.
  if (::getrandom(&id, sizeof id, 0) != static_cast<ssize_t>(sizeof id)) {
    id = static_cast<std::uint64_t>(base::monotonic_ns()) << 22 ^
         static_cast<std::uint64_t>(process_id());
  }
  id >>= 24;  // 40 bits are eight letters, short enough to be read out
  return id != 0 ? id : 1;
}

std::optional<std::string> environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

void ignore_broken_pipes() noexcept { std::signal(SIGPIPE, SIG_IGN); }

void exit_at_once(int status) noexcept { ::_exit(status); }

}  // namespace actord::os
