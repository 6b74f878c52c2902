// SPDX-License-Identifier: Apache-2.0
//
// The sending end of one sender's stream: numbers the packets and keeps at most a window of them
// under way. How they are carried, and how often, is not its business.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "network_messages.hpp"

namespace reliable_network {

/// Sequence numbers are 1 and up. Owner thread only.
class Outbox {
 public:
  /// `window` is how far ahead of the oldest unsettled packet one may be under way, 1 or more.
  explicit Outbox(std::uint64_t window) : window_(window) {}

  void accept(Packet packet);
  /// The next packet to send, if the window has room for one.
  [[nodiscard]] std::optional<Transmit> next();
  /// The packet with that sequence number, whose fate is now known; none the second time.
  [[nodiscard]] std::optional<Packet> settle(std::uint64_t sequence);
  /// Sequence numbers under way, ascending.
  [[nodiscard]] std::vector<std::uint64_t> under_way() const;

 private:
  struct Slot {
    Packet packet;
    bool is_settled = false;
  };

  std::uint64_t window_;
  std::uint64_t base_ = 1;    // sequence number of slots_.front()
  std::uint64_t unsent_ = 1;  // the first that has not been sent
  std::deque<Slot> slots_;
};

}  // namespace reliable_network
