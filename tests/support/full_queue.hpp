// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace actord::support {

/// Fills the queue of the datagram socket at `path` with datagrams "x", and returns with how many.
/// Each has a sender of its own: where the queue is long (net.unix.max_dgram_qlen), the buffer of a
/// single sender is full before it.
inline std::size_t fill_queue(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  for (std::size_t n = 0;; ++n) {
    const int sender = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const ssize_t sent =
        ::sendto(sender, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const int error = errno;
    ::close(sender);
    if (sent == 1) continue;
    if (error != EAGAIN) throw std::runtime_error("cannot send to " + path);
    return n;
  }
}

}  // namespace actord::support
