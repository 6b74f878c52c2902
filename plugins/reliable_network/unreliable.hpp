// SPDX-License-Identifier: Apache-2.0
//
// A network that loses packets: it fails on a packet, and its supervisor restarts it, so that the
// packet is not handled again. The mode decides what pre_restart does with the packet.
#pragma once

#include <actord/actord.hpp>

#include "network_messages.hpp"
#include "packet_fate.hpp"

namespace reliable_network {

/// How a lost packet is noticed.
enum class Mode {
  resend,    // pre_restart sends it to the network itself, and the new incarnation carries it
  replies,   // pre_restart answers with the failure, and the courier sends it again
  timeouts,  // no message; the courier sends it again after a timeout
};
ACTORD_ENUM(Mode, resend, replies, timeouts)

/// A packet was lost. The failure carries the packet. Details: sender, number, attempt.
struct PacketLost : actord::ErrorWith<Transmit> {
  using ErrorWith::ErrorWith;
};

/// The arguments of an Unreliable.
struct UnreliableSettings {
  Mode mode = Mode::resend;
  std::uint32_t max_attempts = 1;
  FatePlan fate;
  actord::Ref arrivals;  // the far end
};

class Unreliable : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Forwards packets, and fails on some of them.";

  explicit Unreliable(const UnreliableSettings& settings) : settings_(settings) {}

  /// Throws PacketLost.
  void carry(actord::Context& ctx, const Transmit& m);

  using Receive = actord::Handlers<&Unreliable::carry>;

 private:
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void carry_again(actord::Context& ctx, const Transmit& lost);

  UnreliableSettings settings_;
};

}  // namespace reliable_network
