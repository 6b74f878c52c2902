// SPDX-License-Identifier: Apache-2.0
//
// What senders, the two networks, the receiver and the experiment say to each other.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>

namespace reliable_network {

// ---- what those who use the network see ---------------------------------------------------------

/// Sender to reliable network, reliable network to receiver: in the order of their numbers, once.
struct Packet {
  std::uint32_t sender = 0;  // 1 and up
  std::uint64_t number = 0;  // of this sender, 1 and up
  std::string text;
};
ACTORD_MESSAGE(Packet, "reliable_network.Packet/1", sender, number, text)

/// Reliable network to the sender, one of the two for each packet: it has arrived …
struct Delivered {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Delivered, "reliable_network.Delivered/1", number)

/// … or it never will.
struct Undeliverable {
  std::uint64_t number = 0;
  std::uint32_t attempts = 0;  // 0: the network has stopped
};
ACTORD_MESSAGE(Undeliverable, "reliable_network.Undeliverable/1", number, attempts)

// ---- on the way ---------------------------------------------------------------------------------

/// One attempt to bring a packet through the unreliable network.
struct Transmit {
  std::uint64_t sequence = 0;  // of this sender, counted by the reliable network
  std::uint32_t attempt = 1;
  Packet packet;
};
ACTORD_MESSAGE(Transmit, "reliable_network.Transmit/1", sequence, attempt, packet)

/// The far end's answer to a Transmit that came with somebody to answer.
struct Receipt {
  std::uint32_t sender = 0;
  std::uint64_t sequence = 0;
  std::uint32_t attempt = 0;
};
ACTORD_MESSAGE(Receipt, "reliable_network.Receipt/1", sender, sequence, attempt)

/// To the reliable network: no attempt is left.
struct Lost {
  std::uint32_t sender = 0;
  std::uint64_t sequence = 0;
  std::uint32_t attempts = 0;
};
ACTORD_MESSAGE(Lost, "reliable_network.Lost/1", sender, sequence, attempts)

/// Reliable network to the far end: do not wait for this one any longer …
struct Abandon {
  Lost lost;
};
ACTORD_MESSAGE(Abandon, "reliable_network.Abandon/1", lost)

/// … and the answer. It may have arrived after all, when only the receipts were lost.
struct Abandoned {
  Lost lost;
  bool has_arrived = false;
};
ACTORD_MESSAGE(Abandoned, "reliable_network.Abandoned/1", lost, has_arrived)

/// Unreliable network to the reliable one, for the statistics alone.
struct Dropped {};
ACTORD_MESSAGE(Dropped, "reliable_network.Dropped/1")

// ---- the experiment -----------------------------------------------------------------------------

/// Sender to experiment: each of my packets has been answered.
struct SenderDone {
  std::uint64_t delivered = 0;
  std::uint64_t undeliverable = 0;
};
ACTORD_MESSAGE(SenderDone, "reliable_network.SenderDone/1", delivered, undeliverable)

/// Experiment to everybody at the end. Three answer: Received, Carried and Filtered.
struct GetTally {};
ACTORD_MESSAGE(GetTally, "reliable_network.GetTally/1")

/// Of the receiver.
struct Received {
  std::uint64_t packets = 0;
  std::uint64_t repeated = 0;
  bool is_in_order = true;
};
ACTORD_MESSAGE(Received, "reliable_network.Received/1", packets, repeated, is_in_order)

/// Of the reliable network.
struct Carried {
  std::uint64_t dropped = 0;
  std::uint64_t resent = 0;
};
ACTORD_MESSAGE(Carried, "reliable_network.Carried/1", dropped, resent)

/// Of the far end.
struct Filtered {
  std::uint64_t duplicates = 0;
};
ACTORD_MESSAGE(Filtered, "reliable_network.Filtered/1", duplicates)

// Timers.
struct Deadline {};
ACTORD_MESSAGE(Deadline, "reliable_network.Deadline/1")

}  // namespace reliable_network
