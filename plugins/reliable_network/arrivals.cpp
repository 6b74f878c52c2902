// SPDX-License-Identifier: Apache-2.0

#include "arrivals.hpp"

#include <utility>

namespace reliable_network {

// Forwards packets before it sends the receipt, so that the receiver gets a packet before its
// sender gets Delivered.
void Arrivals::arrive(actord::Context& ctx, const Transmit& m) {
  forward_packets(ctx, inboxes_[m.packet.sender].arrive(m));
  if (ctx.sender()) ctx.reply(Receipt{m.packet.sender, m.sequence, m.attempt});
}

Abandoned Arrivals::abandon(actord::Context& ctx, const Abandon& m) {
  Inbox::AbandonResult result = inboxes_[m.lost.sender].abandon(m.lost.sequence);
  forward_packets(ctx, std::move(result.deliverable));
  return {m.lost, result.has_arrived};
}

Filtered Arrivals::tally(const GetTally&) const {
  Filtered sum;
  for (const auto& [sender, inbox] : inboxes_) sum.duplicates += inbox.duplicates();
  return sum;
}

void Arrivals::forward_packets(actord::Context& ctx, std::vector<Packet> packets) {
  for (Packet& packet : packets) ctx.tell(receiver_, std::move(packet));
}

}  // namespace reliable_network
