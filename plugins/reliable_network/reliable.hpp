// SPDX-License-Identifier: Apache-2.0
//
// The reliable network: it takes packets from senders, sends them through the unreliable network,
// and answers each sender once for each packet.
//
// In every mode a packet ends with a Receipt, or with a Lost when it has no attempt left. After a
// Lost the far end decides, because the packet has arrived if only its receipts were lost.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <map>
#include <utility>

#include "network_messages.hpp"
#include "outbox.hpp"
#include "unreliable.hpp"

namespace reliable_network {

/// The arguments of a Reliable.
struct ReliableSettings {
  Mode mode = Mode::resend;
  std::uint32_t window = 1;
  std::uint32_t max_attempts = 1;
  std::chrono::nanoseconds timeout{};  // time limit of one attempt, in the modes with a courier
  FatePlan fate;
  actord::Ref receiver;
};

class Reliable : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Delivers packets in order and answers each of them.";
  /// A lost packet restarts the unreliable network, without a limit. Anything else is a bug and
  /// escalates.
  static actord::Strategy supervision();

  Reliable(actord::Context& ctx, const ReliableSettings& settings);

  void accept(actord::Context& ctx, const Packet& m);
  void arrived(actord::Context& ctx, const Receipt& m);
  void lost(actord::Context& ctx, const Lost& m);
  void abandoned(actord::Context& ctx, const Abandoned& m);
  void dropped(const Dropped& m);
  void terminated(actord::Context& ctx, const actord::Terminated& m);
  void tally(actord::Context& ctx, const GetTally& m);

  using Receive =
      actord::Handlers<&Reliable::accept, &Reliable::arrived, &Reliable::lost, &Reliable::abandoned,
                       &Reliable::dropped, &Reliable::terminated, &Reliable::tally>;

 private:
  struct Stream {
    actord::Ref sender;
    Outbox outbox;
  };

  void proceed(actord::Context& ctx, Stream& stream);
  void transmit(actord::Context& ctx, Transmit m);
  [[nodiscard]] actord::Ref courier(actord::Context& ctx, const Transmit& m);

  ReliableSettings settings_;
  actord::Ref arrivals_, unreliable_;
  bool is_network_gone_ = false;
  std::map<std::uint32_t, Stream> streams_;  // by the number of the sender
  std::map<std::pair<std::uint32_t, std::uint64_t>, actord::Ref> couriers_;  // by stream and slot
  Carried carried_;
};

}  // namespace reliable_network
