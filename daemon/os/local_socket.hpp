// SPDX-License-Identifier: Apache-2.0
//
// Unix domain sockets (unix(7)): creating, replacing those of a dead daemon, connecting, and the
// identity of the peer.
//
// Not here: the protocol (wire), and serving several clients (admin).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// The longest path of a socket: the size of sun_path without its NUL.
inline constexpr std::size_t socket_path_max = 107;

/// Creates a listening stream socket at `path` with mode 0660. A socket at which no process listens
/// is replaced. EADDRINUSE: another process listens there. EEXIST: the file is not a socket.
/// EWOULDBLOCK: another process is creating or removing the socket.
base::Result<Descriptor, SystemError> listen_at(const std::string& path);

/// Connects to the socket at `path`. ECONNREFUSED: no process listens there. ENOENT: there is no
/// such socket. EAGAIN: the queue of waiting clients stayed full for `timeout`.
base::Result<Descriptor, SystemError> connect_to(
    const std::string& path, std::chrono::nanoseconds timeout = std::chrono::seconds{10});

/// Sends all bytes. EAGAIN: the peer took none for `timeout`.
base::Result<void, SystemError> send_all(int socket, std::string_view bytes,
                                         std::chrono::nanoseconds timeout);
/// The next bytes of the peer, at most 64 KiB; empty if it has closed the connection. EAGAIN: none
/// came within `timeout`.
base::Result<std::string, SystemError> receive(int socket, std::chrono::nanoseconds timeout);

/// Shuts down `listening`, a descriptor from listen_at(), and removes `path` unless another process
/// listens there by now.
void remove_socket(const std::string& path, int listening) noexcept;

/// A number that no group has.
inline constexpr auto no_group = static_cast<gid_t>(-1);

/// A process that asks for something: its user, groups and id at the time of the connection.
struct Peer {
  uid_t uid = static_cast<uid_t>(-1);
  gid_t gid = no_group;  // no_group: not known
  pid_t pid = 0;         // 0: of another PID namespace
  std::vector<gid_t> supplementary_groups = {};

  /// Whether it is the primary group or one of the supplementary ones.
  bool is_in_group(gid_t group) const noexcept;
};
/// The peer of a socket. If it has more than 1024 supplementary groups, these are not known.
base::Result<Peer, SystemError> peer_of(int socket);

/// The effective user of this process.
uid_t own_user() noexcept;

/// The name of a user or group for messages; the number as text if there is no name.
std::string user_name(uid_t uid);
std::string group_name(gid_t gid);
/// The group of that name, or of that number.
std::optional<gid_t> group_named(const std::string& name);

/// The group of a file; no_group if the file cannot be examined.
gid_t group_of(const std::string& path) noexcept;

/// The command name of a process, such as "actorctl"; empty if the process has ended, or if /proc
/// hides it from this user (hidepid=, ProtectProc=).
std::string process_name(pid_t pid);

}  // namespace actord::os
