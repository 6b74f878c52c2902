// SPDX-License-Identifier: Apache-2.0
//
// Sockets with a name in the file system (unix(7)): made, taken over from a daemon that died,
// connected to, and who is at the other end.
//
// Not here: what is said over them (wire), and serving several at once (admin).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// The longest name of such a socket: sun_path less its NUL.
inline constexpr std::size_t socket_path_max = 107;

/// Makes a stream socket of that name that listens, readable and writable for owner and group alone
/// (0660). A socket that nobody listens at any more is replaced; EADDRINUSE when somebody does, and
/// EEXIST when the name belongs to something that is no socket.
base::Result<Descriptor, SystemError> listen_at(const std::string& path);

/// A connection to whoever listens there. ECONNREFUSED: nobody does; ENOENT: there is no such
/// socket; EAGAIN: so many others wait that it was not our turn within `patience`.
base::Result<Descriptor, SystemError> connect_to(
    const std::string& path, std::chrono::nanoseconds patience = std::chrono::seconds{10});

/// Ends `listening`, a descriptor from listen_at(), and removes its name unless somebody else
/// listens there by now.
void remove_socket(const std::string& path, int listening) noexcept;

/// The process at the other end, as it was when it connected.
struct Peer {
  uid_t uid = static_cast<uid_t>(-1);
  gid_t gid = static_cast<gid_t>(-1);
  pid_t pid = 0;
};
base::Result<Peer, SystemError> peer_of(int socket);

/// Whether the peer is of that group, as its own one or as a further one.
bool is_peer_in_group(int socket, const Peer& peer, gid_t group) noexcept;

/// The user that this process acts as.
uid_t own_user() noexcept;

/// The name of a user or group for messages; the number where nobody knows a name.
std::string user_name(uid_t uid);
std::string group_name(gid_t gid);

/// No group has this number.
inline constexpr auto no_group = static_cast<gid_t>(-1);

/// The group of a file; no_group when it cannot be looked at.
gid_t group_of(const std::string& path) noexcept;

/// "actorctl": what the process of that number calls itself; empty when it is gone.
std::string process_name(pid_t pid);

}  // namespace actord::os
