// SPDX-License-Identifier: Apache-2.0
#include "os/packet_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/assert.hpp"
#include "base/clock.hpp"

namespace actord::os {

namespace {

constexpr std::size_t descriptors_max_at_once = 8;

using ControlBytes = std::array<char, CMSG_SPACE(sizeof(int) * descriptors_max_at_once)>;

std::vector<Descriptor> descriptors_in(msghdr& message) {
  std::vector<Descriptor> descriptors;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
  return descriptors;
}

}  // namespace

base::Result<PacketSockets, SystemError> packet_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return system_error("cannot make a pair of sockets", errno);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return PacketSockets{Descriptor(ends[0]), Descriptor(ends[1])};
}

int send_packet(int socket, std::string_view bytes, std::span<const int> descriptors) noexcept {
  ACTORD_ASSERT(!bytes.empty() && descriptors.size() <= descriptors_max_at_once);
  iovec part = {const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) ControlBytes control = {};
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

bool wait_for_packet(int socket, std::int64_t limit_ns) noexcept {
  const std::int64_t until_ns = base::monotonic_ns() + limit_ns;
  pollfd watched = {socket, POLLIN, 0};
  for (;;) {
    const std::int64_t left_ns = until_ns - base::monotonic_ns();
    if (left_ns <= 0) return false;
    if (::poll(&watched, 1, static_cast<int>(left_ns / base::ns_per_ms) + 1) > 0) return true;
  }
}

base::Result<Packet, SystemError> receive_packet(int socket, std::size_t descriptors_max) {
  const std::string doing = "cannot receive a packet";
  Packet packet;
  packet.bytes.resize(packet_bytes_max);
  iovec part = {packet.bytes.data(), packet.bytes.size()};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) ControlBytes control = {};
  if (descriptors_max > 0) {
    message.msg_control = control.data();
    message.msg_controllen =
        CMSG_SPACE(sizeof(int) * std::min(descriptors_max, descriptors_max_at_once));
  }
  ssize_t size = 0;
  while ((size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno != EINTR) return system_error(doing, errno);
  }
  packet.descriptors = descriptors_in(message);
  if ((message.msg_flags & MSG_TRUNC) != 0) return system_error(doing, EMSGSIZE);
  packet.bytes.resize(static_cast<std::size_t>(size));
  return packet;
}

}  // namespace actord::os
