// SPDX-License-Identifier: Apache-2.0
//
// The durable experiment: a persistent sender and a persistent receiver with a network that loses
// packets between them. It may be killed at any moment and goes on at the next start.
#pragma once

#include <actord/actord.hpp>

#include <chrono>

#include "durable_messages.hpp"
#include "network_experiment.hpp"

namespace reliable_network {

struct DurableConfig {
  std::uint64_t packets = 100;
  std::chrono::nanoseconds interval = std::chrono::milliseconds{10};
  std::chrono::nanoseconds retry = std::chrono::milliseconds{200};
  FateConfig chaos;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(DurableConfig, packets, interval, retry, chaos)

class DurableExperiment : public actord::Actor {
 public:
  using Config = DurableConfig;
  static constexpr std::string_view doc =
      "Delivers packets at least once through a network that loses some and processes that are "
      "killed, and counts each once.";
  /// A lost packet restarts the network, without a limit; anything else is a bug and escalates.
  static actord::Strategy supervision();

  /// Rejects rates of `chaos` that are above 1 together.
  static void validate(const Config& config, actord::Findings& findings);

  explicit DurableExperiment(const Config& config) : config_(config) {}

  void confirmed(actord::Context& ctx, const AllConfirmed& m);
  void counted(actord::Context& ctx, const Holdings& m);

  using Receive = actord::Handlers<&DurableExperiment::confirmed, &DurableExperiment::counted>;

 private:
  void pre_start(actord::Context& ctx) override;

  Config config_;
  actord::Ref receiver_;
  std::chrono::nanoseconds started_{};
};

}  // namespace reliable_network
