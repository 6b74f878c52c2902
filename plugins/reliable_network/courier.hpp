// SPDX-License-Identifier: Apache-2.0
//
// Brings one packet at a time through a network that answers, or does not: asks, and asks again
// until there is a receipt or no attempt is left. For the modes `replies` and `timeouts`.
//
// An ask is answered exactly once, by a receipt, by the failure, or by the time that has passed, so
// a courier always comes back to its parent.
#pragma once

#include <actord/actord.hpp>

#include <chrono>

#include "network_messages.hpp"

namespace reliable_network {

struct CourierSettings {
  actord::Ref network;
  std::uint32_t max_attempts = 1;
  std::chrono::nanoseconds timeout{};  // of one attempt
};

class Courier : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Brings one packet through, in several attempts.";

  explicit Courier(const CourierSettings& settings) : settings_(settings) {}

  void carry(actord::Context& ctx, const Transmit& m);
  void answered(actord::Context& ctx, const actord::Reply<Receipt>& reply);

  using Receive = actord::Handlers<&Courier::carry>;

 private:
  void attempt(actord::Context& ctx);

  CourierSettings settings_;
  Transmit carried_;
};

}  // namespace reliable_network
