// SPDX-License-Identifier: Apache-2.0
//
// The messages and events of the durable experiment, in which sender and receiver are persistent
// actors.
#pragma once

#include <actord/actord.hpp>

#include <actord/at_least_once.hpp>

#include <cstdint>

#include "network_messages.hpp"

namespace reliable_network {

/// Sender to network to receiver, again and again until the receiver confirms it.
struct Consignment {
  actord::DeliveryId delivery;
  Packet packet;
};
ACTORD_MESSAGE(Consignment, "reliable_network.Consignment/1", delivery, packet)

/// Sender to experiment: all packets were accepted and confirmed. Sent again by the sender of each
/// start of actord.
struct AllConfirmed {};
ACTORD_MESSAGE(AllConfirmed, "reliable_network.AllConfirmed/1")

/// Experiment to receiver. Answered with Holdings.
struct GetHoldings {};
ACTORD_MESSAGE(GetHoldings, "reliable_network.GetHoldings/1")

struct Holdings {
  std::uint64_t packets = 0;
  std::uint64_t numbers = 0;   // the sum of their numbers
  std::uint64_t repeated = 0;  // that came again, since the receiver was created
};
ACTORD_MESSAGE(Holdings, "reliable_network.Holdings/1", packets, numbers, repeated)

/// A timer: the sender accepts its next packet.
struct NextPacket {};
ACTORD_MESSAGE(NextPacket, "reliable_network.NextPacket/1")

// ---- events -------------------------------------------------------------------------------------

/// The sender has a packet, which will arrive.
struct Accepted {
  Packet packet;
};
ACTORD_MESSAGE(Accepted, "reliable_network.Accepted/1", packet)

/// The receiver has a packet that it did not have.
struct Arrived {
  actord::DeliveryId delivery;
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Arrived, "reliable_network.Arrived/1", delivery, number)

}  // namespace reliable_network
