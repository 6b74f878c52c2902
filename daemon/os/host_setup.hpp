// SPDX-License-Identifier: Apache-2.0
//
// What a process that runs foreign code for another one does first: it ends with that one, ignores
// signals that are meant for it, and keeps within limits.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// The kernel kills the process when the thread that has started it ends. SIGPIPE and the signals
/// that an operator sends to a service, such as SIGHUP and SIGTERM, do nothing. Called once, first
/// of all.
void begin_as_host() noexcept;

/// begin_as_host() for a process that a zygote has forked: `socket` gets that number, and the
/// process a group of its own.
void begin_as_forked_host(int socket, int number) noexcept;

/// A limit that this process has already, and that is lower, stays.
struct HostLimits {
  std::uint64_t memory_max = 0;  // bytes of address space; 0: unlimited, as in a sanitizer's build
  std::uint64_t nofile = 0;      // open files; 0: unchanged
  bool may_dump_core = false;
};
base::Result<void, SystemError> limit_host(const HostLimits& limits);

/// Names the calling thread for ps and debuggers; at most 15 characters.
void name_this_thread(const char* name) noexcept;

/// Does not return: the thread waits until the process ends.
[[noreturn]] void wait_for_end() noexcept;

/// Whether the descriptor is a socket.
bool is_socket(int fd) noexcept;

}  // namespace actord::os
