// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of one sender's stream: restores the order of packets, returns each one once,
// and does not wait for packets that were abandoned.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "network_messages.hpp"

namespace reliable_network {

/// Keeps at most a window of early packets, because the Outbox sends none beyond its window. Owner
/// thread only.
class Inbox {
 public:
  /// Returns the packets that may be forwarded now, in order. A repeated packet is counted and
  /// dropped.
  [[nodiscard]] std::vector<Packet> arrive(const Transmit& m);

  /// The result of abandon().
  struct AbandonResult {
    bool has_arrived = false;         // the packet had arrived before
    std::vector<Packet> deliverable;  // the packets that waited for it
  };
  /// No longer waits for this packet. Called once for a sequence number. If the packet comes later,
  /// it counts as repeated.
  [[nodiscard]] AbandonResult abandon(std::uint64_t sequence);

  /// The number of repeated packets.
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }

 private:
  [[nodiscard]] std::vector<Packet> drain();

  std::uint64_t expected_ = 1;
  std::uint64_t duplicates_ = 0;
  std::map<std::uint64_t, std::optional<Packet>> early_;  // no packet: abandoned
};

}  // namespace reliable_network
