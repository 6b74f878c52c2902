// SPDX-License-Identifier: Apache-2.0

#include "inbox.hpp"

#include <utility>

namespace reliable_network {

std::vector<Packet> Inbox::arrive(const Transmit& m) {
  if (m.sequence < expected_ || early_.contains(m.sequence)) {
    ++duplicates_;
    return {};
  }
  early_.emplace(m.sequence, m.packet);
  return drain();
}

Inbox::AbandonResult Inbox::abandon(std::uint64_t sequence) {
  if (sequence < expected_ || early_.contains(sequence)) return {true, {}};
  early_.emplace(sequence, std::nullopt);
  return {false, drain()};
}

std::vector<Packet> Inbox::drain() {
  std::vector<Packet> deliverable;
  for (auto first = early_.begin(); first != early_.end() && first->first == expected_;
       first = early_.erase(first), ++expected_) {
    if (first->second) deliverable.push_back(std::move(*first->second));
  }
  return deliverable;
}

}  // namespace reliable_network
