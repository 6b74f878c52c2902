// SPDX-License-Identifier: Apache-2.0
//
// A network that loses packets: it fails, and its supervisor restarts it without the message that
// it failed on. What becomes of that message is the mode's matter, and pre_restart's.
#pragma once

#include <actord/actord.hpp>

#include "network_messages.hpp"
#include "packet_fate.hpp"

namespace reliable_network {

/// How a lost packet is noticed.
enum class Mode {
  resend,    // the network sends it to itself again, and its new incarnation carries it
  replies,   // the network answers that the command has failed, and who sent it sends it again
  timeouts,  // the network says nothing; who sent it waits, and sends it again
};
ACTORD_ENUM(Mode, resend, replies, timeouts)

/// The packet that was lost travels with the failure. Details: sender, number, attempt.
struct PacketLost : actord::ErrorWith<Transmit> {
  using ErrorWith::ErrorWith;
};

struct UnreliableSettings {
  Mode mode = Mode::resend;
  std::uint32_t max_attempts = 1;
  FatePlan fate;
  actord::Ref arrivals;  // the far end
};

class Unreliable : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Carries packets, and fails on some of them.";

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
