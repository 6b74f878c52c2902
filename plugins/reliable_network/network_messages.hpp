// SPDX-License-Identifier: Apache-2.0
//
// The messages between senders, the two networks, the receiver and the experiment. The far end of
// the reliable network is the actor Arrivals.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>

namespace reliable_network {

// ---- the interface of the network ---------------------------------------------------------------

/// Sender to reliable network, and far end to receiver. Each packet of a sender arrives at most
/// once, in the order of `number`.
struct Packet {
  std::uint32_t sender = 0;  // from 1
  std::uint64_t number = 0;  // from 1, counted by the sender
  std::string text;
};
ACTORD_MESSAGE(Packet, "reliable_network.Packet/1", sender, number, text)

/// Reliable network to sender: the packet has arrived. Each packet is answered once, with this or
/// with Undeliverable.
struct Delivered {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Delivered, "reliable_network.Delivered/1", number)

/// Reliable network to sender: the packet will not arrive.
struct Undeliverable {
  std::uint64_t number = 0;
  std::uint32_t attempts = 0;  // 0: the network has stopped
};
ACTORD_MESSAGE(Undeliverable, "reliable_network.Undeliverable/1", number, attempts)

// ---- within the network -------------------------------------------------------------------------

/// One attempt to send a packet through the unreliable network.
struct Transmit {
  std::uint64_t sequence = 0;  // of this sender, given by the reliable network
  std::uint32_t attempt = 1;
  Packet packet;
};
ACTORD_MESSAGE(Transmit, "reliable_network.Transmit/1", sequence, attempt, packet)

/// Far end to the sender of a Transmit, unless it came without a sender: the packet has arrived.
struct Receipt {
  std::uint32_t sender = 0;
  std::uint64_t sequence = 0;
  std::uint32_t attempt = 0;
};
ACTORD_MESSAGE(Receipt, "reliable_network.Receipt/1", sender, sequence, attempt)

/// To the reliable network: the packet has no attempt left.
struct Lost {
  std::uint32_t sender = 0;
  std::uint64_t sequence = 0;
  std::uint32_t attempts = 0;
};
ACTORD_MESSAGE(Lost, "reliable_network.Lost/1", sender, sequence, attempts)

/// Reliable network to far end: do not wait for this packet any longer. Answered with Abandoned.
struct Abandon {
  Lost lost;
};
ACTORD_MESSAGE(Abandon, "reliable_network.Abandon/1", lost)

/// The answer to Abandon. The packet has arrived if only its receipts were lost.
struct Abandoned {
  Lost lost;
  bool has_arrived = false;
};
ACTORD_MESSAGE(Abandoned, "reliable_network.Abandoned/1", lost, has_arrived)

/// Unreliable network to reliable network, for the statistics alone: an attempt was lost.
struct Dropped {};
ACTORD_MESSAGE(Dropped, "reliable_network.Dropped/1")

// ---- the experiment -----------------------------------------------------------------------------

/// Sender to experiment: all packets of the sender have been answered.
struct SenderDone {
  std::uint64_t delivered = 0;
  std::uint64_t undeliverable = 0;
};
ACTORD_MESSAGE(SenderDone, "reliable_network.SenderDone/1", delivered, undeliverable)

/// Experiment to the receiver and both parts of the network, at the end. Answered with Received,
/// Carried and Filtered.
struct GetTally {};
ACTORD_MESSAGE(GetTally, "reliable_network.GetTally/1")

/// The results of the receiver.
struct Received {
  std::uint64_t packets = 0;
  std::uint64_t repeated = 0;
  bool is_in_order = true;
};
ACTORD_MESSAGE(Received, "reliable_network.Received/1", packets, repeated, is_in_order)

/// The results of the reliable network.
struct Carried {
  std::uint64_t dropped = 0;
  std::uint64_t resent = 0;
};
ACTORD_MESSAGE(Carried, "reliable_network.Carried/1", dropped, resent)

/// The results of the far end.
struct Filtered {
  std::uint64_t duplicates = 0;
};
ACTORD_MESSAGE(Filtered, "reliable_network.Filtered/1", duplicates)

// Messages of timers.
struct Deadline {};
ACTORD_MESSAGE(Deadline, "reliable_network.Deadline/1")

}  // namespace reliable_network
