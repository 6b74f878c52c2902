// SPDX-License-Identifier: Apache-2.0
//
// A sender that does not forget a packet, a receiver that counts none twice, and the network
// between them, which loses some. Sender and receiver survive the process: their states are what
// their events have made of them.
#pragma once

#include <chrono>
#include <string>

#include "durable_messages.hpp"
#include "packet_fate.hpp"

namespace reliable_network {

/// The arguments of a DurableSender.
struct DurableSenderSettings {
  std::uint64_t packets = 0;
  std::chrono::nanoseconds interval{};  // between two packets
  std::chrono::nanoseconds retry{};     // until the first repetition
  std::string network;                  // its path
  actord::Ref experiment;
};

struct Accepting {  // the state; no message, so that there are no snapshots of it
  std::uint64_t accepted = 0;
};

class DurableSender : public actord::AtLeastOnce<DurableSender, Accepting> {
 public:
  static constexpr std::string_view doc = "Sends packets until each is confirmed.";

  explicit DurableSender(DurableSenderSettings settings) : settings_(std::move(settings)) {}

  void recovery_completed(actord::Context& ctx) override;
  actord::Redelivery redelivery() const override;
  void delivery_confirmed(actord::Context& ctx, std::uint64_t number) override;

  void next(actord::Context& ctx, const NextPacket& m);

  void apply(Accepting& accepting, const Accepted& event);

  using Events = actord::Events<Accepted>;
  using Receive = Delivering<&DurableSender::next>;

 private:
  void report_if_complete(actord::Context& ctx);

  DurableSenderSettings settings_;
};

struct Inventory {
  actord::DeliveryLog deliveries;
  std::uint64_t packets = 0;
  std::uint64_t numbers = 0;  // the sum of theirs
};
ACTORD_MESSAGE(Inventory, "reliable_network.Inventory/1", deliveries, packets, numbers)

class DurableReceiver : public actord::Persistent<DurableReceiver, Inventory> {
 public:
  static constexpr std::string_view doc = "Stores each packet once.";

  void take(actord::Context& ctx, const Consignment& m);
  Holdings holdings(const GetHoldings& m) const;

  void apply(Inventory& inventory, const Arrived& event);

  using Events = actord::Events<Arrived>;
  using Receive = actord::Handlers<&DurableReceiver::take, &DurableReceiver::holdings>;

 private:
  std::uint64_t repeated_ = 0;
};

/// Fails on some of the packets, and is restarted.
class LossyNetwork : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Forwards packets, and fails on some of them.";

  LossyNetwork(actord::Ref receiver, FatePlan fate) : receiver_(receiver), fate_(fate) {}

  /// Throws PacketLost.
  void carry(actord::Context& ctx, const Consignment& m);

  using Receive = actord::Handlers<&LossyNetwork::carry>;

 private:
  actord::Ref receiver_;
  FatePlan fate_;
};

}  // namespace reliable_network
