// SPDX-License-Identifier: Apache-2.0
//
// What the running daemon's configuration says, asked at its admin socket.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "wire/control_message.hpp"

namespace actord::config {

/// Where a daemon listens that runs as the installed service: at the socket of
/// actord-admin.socket, or without that at its own.
inline constexpr std::string_view service_sockets[] = {"/run/actord-admin.sock",
                                                       "/run/actord/actord.sock"};

struct RunningDaemon {
  uid_t uid = 0;
  std::map<std::string, wire::Json> values;  // by key; without secrets
};

/// nullopt: no daemon answers at `socket` within `timeout`, or this user may not ask it.
std::optional<RunningDaemon> ask_running_daemon(const std::string& socket,
                                                std::chrono::nanoseconds timeout);

}  // namespace actord::config
