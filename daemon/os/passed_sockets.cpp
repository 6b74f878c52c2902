// SPDX-License-Identifier: Apache-2.0
#include "os/passed_sockets.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace actord::os {

namespace {

constexpr int first_passed = 3;  // SD_LISTEN_FDS_START
constexpr int passed_max = 64;

/// The number in an environment variable; -1: it has none.
long number_in_environment(const char* name) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr) return -1;
  long number = -1;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc{} && stop == end ? number : -1;
}

/// Whether it is a Unix or a TCP socket that listens.
bool is_listening_stream(int fd) {
  sockaddr_storage name = {};
  socklen_t name_size = sizeof name;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &name_size) != 0) return false;
  if (name.ss_family != AF_UNIX && name.ss_family != AF_INET && name.ss_family != AF_INET6)
    return false;
  int kind = 0, listens = 0;
  socklen_t size = sizeof kind;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_STREAM) return false;
  size = sizeof listens;
  return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1;
}

/// Empty: the socket is no Unix socket, or has no path.
std::string path_of(int fd) {
  sockaddr_un name = {};
  socklen_t size = sizeof name;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0) return {};
  if (name.sun_family != AF_UNIX || size <= offsetof(sockaddr_un, sun_path)) return {};
  return {name.sun_path, ::strnlen(name.sun_path, size - offsetof(sockaddr_un, sun_path))};
}

}  // namespace

std::vector<PassedSocket> take_passed_sockets() {
  const bool is_for_us = number_in_environment("LISTEN_PID") == ::getpid();
  const long count = std::min<long>(number_in_environment("LISTEN_FDS"), passed_max);
  for (const char* const name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
    ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  std::vector<PassedSocket> sockets;
  for (int fd = first_passed; is_for_us && fd < first_passed + count; ++fd) {
    Descriptor passed(fd);
    if (!is_listening_stream(fd)) continue;
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    sockets.push_back({std::move(passed), path_of(fd)});
  }
  return sockets;
}

std::optional<PassedSocket> take_socket(std::vector<PassedSocket>& sockets, SocketKind kind) {
  const auto found = std::ranges::find_if(sockets, [kind](const PassedSocket& each) {
    return each.path.empty() == (kind == SocketKind::tcp);
  });
  if (found == sockets.end()) return std::nullopt;
  PassedSocket taken = std::move(*found);
  sockets.erase(found);
  return taken;
}

}  // namespace actord::os
