// SPDX-License-Identifier: Apache-2.0
//
// Sockets between this process and a child: packets that keep their borders, with descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// The longest packet that both sides may send.
inline constexpr std::size_t packet_bytes_max = std::size_t{32} << 10;

/// Connected to each other. The far end waits when it is read or written, the near one does not.
struct PacketSockets {
  Descriptor near_end, far_end;
};
base::Result<PacketSockets, SystemError> packet_sockets();

/// Sends a packet, which is not empty, whole. 0, or errno; EAGAIN: the other side has to read
/// first. A broken connection raises no signal. Any thread.
int send_packet(int socket, std::string_view bytes, std::span<const int> descriptors = {}) noexcept;

/// Waits until there is a packet, or the other side has closed the connection. False: for too long.
bool wait_for_packet(int socket, std::int64_t limit_ns) noexcept;

struct Packet {
  std::string bytes;  // empty: the other side has closed the connection
  std::vector<Descriptor> descriptors;
};
/// The next packet. Descriptors beyond that number are refused. EAGAIN: there is none. EMSGSIZE: it
/// is too long.
base::Result<Packet, SystemError> receive_packet(int socket, std::size_t descriptors_max);

}  // namespace actord::os
