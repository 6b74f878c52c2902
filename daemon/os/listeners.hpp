// SPDX-License-Identifier: Apache-2.0
//
// Which TCP ports are taken, from the kernel's table of sockets. No port is bound for it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct Listener {
  std::string address;  // "127.0.0.1"; "0.0.0.0" and "::" are all addresses
  uid_t uid = 0;        // the user of the process that created the socket
};

/// The socket that listens on `port` at `address` or at all addresses; nullopt if there is none. An
/// `address` that is neither "localhost" nor numeric means all addresses. The error: the table
/// cannot be read.
base::Result<std::optional<Listener>, SystemError> listener_on(std::uint16_t port,
                                                               const std::string& address);

}  // namespace actord::os
