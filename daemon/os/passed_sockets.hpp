// SPDX-License-Identifier: Apache-2.0
//
// Sockets that a service manager has opened for this process and keeps open across its restarts:
// socket activation, sd_listen_fds(3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/descriptor.hpp"

namespace actord::os {

/// A socket that listens.
struct PassedSocket {
  Descriptor descriptor;
  std::string path;  // of a Unix socket; empty: it is a TCP socket
};

/// Takes the sockets that were passed to this process, which $LISTEN_PID and $LISTEN_FDS tell, and
/// removes these variables. Descriptors that are no listening stream sockets are closed. To be
/// called once, while the process has one thread.
std::vector<PassedSocket> take_passed_sockets();

/// Takes the first Unix socket, or the first TCP socket, out of the list; nullopt: there is none.
enum class SocketKind : std::uint8_t { unix_stream, tcp };
std::optional<PassedSocket> take_socket(std::vector<PassedSocket>& sockets, SocketKind kind);

}  // namespace actord::os
