// SPDX-License-Identifier: Apache-2.0
//
// Carries one packet at a time through the unreliable network: it asks until there is a receipt or
// no attempt is left. For the modes `replies` and `timeouts`.
//
// An ask has exactly one answer: a receipt, a failure or a timeout. So a courier always reports to
// its parent.
#pragma once

#include <actord/actord.hpp>

#include <chrono>

#include "network_messages.hpp"

namespace reliable_network {

/// The arguments of a Courier.
struct CourierSettings {
  actord::Ref network;
  std::uint32_t max_attempts = 1;
  std::chrono::nanoseconds timeout{};  // time limit of one attempt
};

class Courier : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Sends one packet until it is answered.";

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
