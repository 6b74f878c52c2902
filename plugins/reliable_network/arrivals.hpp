// SPDX-License-Identifier: Apache-2.0
//
// The far end of the reliable network: it gets all packets that come through the unreliable
// network, and forwards each to the receiver once and in order.
#pragma once

#include <actord/actord.hpp>

#include <map>

#include "inbox.hpp"
#include "network_messages.hpp"

namespace reliable_network {

class Arrivals : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Puts packets in order and filters repeated ones.";

  explicit Arrivals(actord::Ref receiver) : receiver_(receiver) {}

  void arrive(actord::Context& ctx, const Transmit& m);
  Abandoned abandon(actord::Context& ctx, const Abandon& m);
  Filtered tally(const GetTally& m) const;

  using Receive = actord::Handlers<&Arrivals::arrive, &Arrivals::abandon, &Arrivals::tally>;

 private:
  void forward_packets(actord::Context& ctx, std::vector<Packet> packets);

  actord::Ref receiver_;
  std::map<std::uint32_t, Inbox> inboxes_;  // by sender
};

}  // namespace reliable_network
