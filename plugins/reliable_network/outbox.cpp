// SPDX-License-Identifier: Apache-2.0

#include "outbox.hpp"

#include <utility>

namespace reliable_network {

void Outbox::accept(Packet packet) { slots_.push_back({std::move(packet)}); }

std::optional<Transmit> Outbox::next() {
  if (unsent_ == base_ + slots_.size() || unsent_ >= base_ + window_) return std::nullopt;
  const std::uint64_t sequence = unsent_++;
  return Transmit{sequence, 1, slots_[sequence - base_].packet};
}

std::optional<Packet> Outbox::complete(std::uint64_t sequence) {
  if (sequence < base_ || sequence >= unsent_ || slots_[sequence - base_].is_complete)
    return std::nullopt;
  Slot& slot = slots_[sequence - base_];
  slot.is_complete = true;
  Packet packet = std::move(slot.packet);
  for (; !slots_.empty() && slots_.front().is_complete; ++base_) slots_.pop_front();
  return packet;
}

std::vector<std::uint64_t> Outbox::under_way() const {
  std::vector<std::uint64_t> found;
  for (std::uint64_t sequence = base_; sequence < unsent_; ++sequence) {
    if (!slots_[sequence - base_].is_complete) found.push_back(sequence);
  }
  return found;
}

}  // namespace reliable_network
