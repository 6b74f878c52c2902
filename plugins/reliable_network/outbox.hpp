// SPDX-License-Identifier: Apache-2.0
//
// The sending end of one sender's stream: it numbers the packets and keeps at most a window of them
// under way. Not here: how a packet is carried, and how often (reliable.hpp, courier.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "network_messages.hpp"

namespace reliable_network {

/// Sequence numbers begin at 1. Owner thread only.
class Outbox {
 public:
  /// `window`: how far a packet under way may be ahead of the oldest incomplete one; at least 1.
  explicit Outbox(std::uint64_t window) : window_(window) {}

  /// Adds a packet to be sent.
  void accept(Packet packet);
  /// The next packet to send, if the window has room for one.
  [[nodiscard]] std::optional<Transmit> next();
  /// Marks the packet with that sequence number as complete and returns it. None if it was not sent
  /// or is complete already.
  [[nodiscard]] std::optional<Packet> complete(std::uint64_t sequence);
  /// The sequence numbers under way, ascending.
  [[nodiscard]] std::vector<std::uint64_t> under_way() const;

 private:
  struct Slot {
    Packet packet;
    bool is_complete = false;
  };

  std::uint64_t window_;
  std::uint64_t base_ = 1;    // sequence number of slots_.front()
  std::uint64_t unsent_ = 1;  // the first that has not been sent
  std::deque<Slot> slots_;
};

}  // namespace reliable_network
