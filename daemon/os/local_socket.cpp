// SPDX-License-Identifier: Apache-2.0
#include "os/local_socket.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

#include "os/file_lock.hpp"
#include "os/files.hpp"

namespace actord::os {

namespace {

constexpr mode_t mode = 0660;
constexpr int backlog_max = 64;

struct Address {
  sockaddr_un name = {};
  socklen_t size = 0;
};

base::Result<Address, SystemError> address_of(const std::string& path) {
  Address address;
  if (path.size() > socket_path_max || path.find('\0') != std::string::npos) {
    return SystemError{ENAMETOOLONG, "the path of the socket has " + std::to_string(path.size()) +
                                         " bytes, and " + std::to_string(socket_path_max) +
                                         " are allowed: " + path};
  }
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path, path.data(), path.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return address;
}

Descriptor new_socket(int flags = 0) {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

void set_timeout(int socket, int option, std::chrono::nanoseconds timeout) {
  const auto us = std::chrono::ceil<std::chrono::microseconds>(timeout).count();
  const timeval limit = {us / 1'000'000, us % 1'000'000};
  ::setsockopt(socket, SOL_SOCKET, option, &limit, sizeof limit);
}

const sockaddr* generic(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.name);
}

/// Held while a socket is created or removed, so that two daemons do not replace each other's
/// sockets.
base::Result<FileLock, SystemError> lock_socket(const std::string& socket) {
  return FileLock::take(socket + ".lock");
}

/// Whether there is an entry at `path` that is no socket.
bool is_other_file(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && !S_ISSOCK(status.st_mode);
}

/// Removes the socket at `path` if no process listens at it. Returns 0, or errno if the path is not
/// free.
int remove_dead_socket(const std::string& path, const Address& address) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISSOCK(status.st_mode)) return EEXIST;
  const Descriptor probe = new_socket(SOCK_NONBLOCK);
  if (probe.get() < 0) return errno;
  if (::connect(probe.get(), generic(address), address.size) == 0 || errno == EAGAIN)
    return EADDRINUSE;
  if (errno != ECONNREFUSED) return errno;
  return ::unlink(path.c_str()) == 0 || errno == ENOENT ? 0 : errno;
}

// The name of a user or group from getpwuid_r() or getgrgid_r(); the number as text if there is
// none.
template <class Entry, class Id, class Lookup>
std::string name_from(Id id, Lookup lookup, char* Entry::*name) {
  std::vector<char> buffer(1024);
  Entry entry = {};
  Entry* found = nullptr;
  while (lookup(id, &entry, buffer.data(), buffer.size(), &found) == ERANGE &&
         buffer.size() < 1U << 20)
    buffer.resize(buffer.size() * 2);
  return found != nullptr ? std::string{found->*name} : std::to_string(id);
}

}  // namespace

base::Result<Descriptor, SystemError> listen_at(const std::string& path) {
  const std::string doing = "cannot make the socket " + path;
  const auto address = address_of(path);
  if (!address) return address.error();
  // before the lock, whose file would stay beside that of someone else
  if (is_other_file(path))
    return SystemError{EEXIST, doing + ": there is a file or folder that is no socket"};
  const auto lock = lock_socket(path);
  if (!lock) return system_error(doing, lock.error().number);
  if (const int error = remove_dead_socket(path, *address); error != 0)
    return system_error(doing, error);
  Descriptor listening = new_socket(SOCK_NONBLOCK);
  if (listening.get() < 0) return system_error(doing, errno);
  // The mode is set before listen(), so no client can connect earlier.
  if (::bind(listening.get(), generic(*address), address->size) != 0 ||
      ::chmod(path.c_str(), mode) != 0 || ::listen(listening.get(), backlog_max) != 0)
    return system_error(doing, errno);
  return listening;
}

base::Result<Descriptor, SystemError> connect_to(const std::string& path,
                                                 std::chrono::nanoseconds timeout) {
  const auto address = address_of(path);
  if (!address) return address.error();
  Descriptor socket = new_socket();
  if (socket.get() < 0) return system_error("cannot make a socket", errno);
  set_timeout(socket.get(), SO_SNDTIMEO, timeout);  // connect() obeys the send timeout
  if (::connect(socket.get(), generic(*address), address->size) != 0)
    return system_error("cannot connect to " + path, errno);
  return socket;
}

base::Result<void, SystemError> send_all(int socket, std::string_view bytes,
                                         std::chrono::nanoseconds timeout) {
  set_timeout(socket, SO_SNDTIMEO, timeout);
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return system_error("cannot send", errno);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

base::Result<std::string, SystemError> receive(int socket, std::chrono::nanoseconds timeout) {
  set_timeout(socket, SO_RCVTIMEO, timeout);
  std::string bytes(std::size_t{64} * 1024, '\0');
  ssize_t size = 0;
  do size = ::recv(socket, bytes.data(), bytes.size(), 0);
  while (size < 0 && errno == EINTR);
  if (size < 0) return system_error("cannot receive", errno);
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

void remove_socket(const std::string& path, int listening) noexcept {
  // From now on connect() to this socket fails. If connect() to `path` still succeeds, another
  // daemon listens there, and remove_dead_socket() leaves its socket alone.
  ::shutdown(listening, SHUT_RDWR);
  // If another process holds the lock, it replaces the dead socket itself.
  const auto lock = lock_socket(path);
  const auto address = address_of(path);
  if (address && lock) remove_dead_socket(path, *address);
}

base::Result<Peer, SystemError> peer_of(int socket) {
  ucred credentials = {};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return system_error("cannot read the user of the other end", errno);
  Peer peer{credentials.uid, credentials.gid, credentials.pid};
  std::array<gid_t, 1024> groups = {};
  size = sizeof groups;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0)
    peer.supplementary_groups.assign(groups.begin(), groups.begin() + size / sizeof(gid_t));
  return peer;
}

bool Peer::is_in_group(gid_t group) const noexcept {
  return gid == group ||
         std::ranges::find(supplementary_groups, group) != supplementary_groups.end();
}

uid_t own_user() noexcept { return ::geteuid(); }

std::string user_name(uid_t uid) { return name_from(uid, &::getpwuid_r, &passwd::pw_name); }

std::string group_name(gid_t gid) { return name_from(gid, &::getgrgid_r, &group::gr_name); }

std::optional<gid_t> group_named(const std::string& name) {
  gid_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size()) return number;
  std::vector<char> buffer(1024);
  group entry = {};
  group* found = nullptr;
  while (::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == ERANGE &&
         buffer.size() < 1U << 20)
    buffer.resize(buffer.size() * 2);
  return found != nullptr ? std::optional(found->gr_gid) : std::nullopt;
}

gid_t group_of(const std::string& path) noexcept {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_gid : no_group;
}

std::string process_name(pid_t pid) {
  const int fd = ::open(("/proc/" + std::to_string(pid) + "/comm").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const Descriptor file(fd);
  std::array<char, 64> text = {};
  const ssize_t size = ::read(fd, text.data(), text.size());
  std::string name(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  name.erase(std::min(name.find('\n'), name.size()));
  return name;
}

}  // namespace actord::os
