// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of one sender's stream: puts packets back into their order, lets each through
// once, and does not wait for those that were abandoned.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "network_messages.hpp"

namespace reliable_network {

/// Holds at most a window of early packets, as the other end sends no more. Owner thread only.
class Inbox {
 public:
  /// The packets that may be handed on now, in order; a repeated one is counted and dropped.
  [[nodiscard]] std::vector<Packet> arrive(const Transmit& m);

  struct Verdict {
    bool has_arrived = false;         // before it was abandoned
    std::vector<Packet> deliverable;  // what waited behind it
  };
  /// Once for each sequence number. Should the packet come later, it counts as repeated.
  [[nodiscard]] Verdict abandon(std::uint64_t sequence);

  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }

 private:
  [[nodiscard]] std::vector<Packet> drain();

  std::uint64_t expected_ = 1;
  std::uint64_t duplicates_ = 0;
  std::map<std::uint64_t, std::optional<Packet>> early_;  // none: abandoned
};

}  // namespace reliable_network
