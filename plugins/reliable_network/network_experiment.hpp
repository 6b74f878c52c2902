// SPDX-License-Identifier: Apache-2.0
//
// The experiment: creates a receiver, a reliable network above an unreliable one, and senders, and
// logs one event with the results at the end.
#pragma once

#include <actord/actord.hpp>

#include <chrono>
#include <optional>

#include "network_messages.hpp"
#include "unreliable.hpp"

namespace reliable_network {

struct FateConfig {
  double loss = 0.2;
  double answer_loss = 0.1;
  double duplicate = 0.05;
  std::uint64_t seed = 1;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(FateConfig, loss, answer_loss, duplicate, seed)

/// Rejects the member `chaos` of a Config if its rates are above 1 together.
template <class Config>
void reject_excess(const FateConfig& chaos, actord::Findings& findings,
                   FateConfig Config::*member) {
  if (chaos.loss + chaos.answer_loss + chaos.duplicate > 1)
    findings.reject(member, "loss, answer-loss and duplicate must be at most 1 together");
}

struct ExperimentConfig {
  actord::Required<Mode> mode;
  std::uint32_t senders = 4;
  std::uint64_t packets = 25;
  std::uint32_t window = 4;
  std::uint32_t max_attempts = 10;
  std::chrono::nanoseconds timeout = std::chrono::milliseconds{200};
  std::chrono::nanoseconds deadline = std::chrono::minutes{1};
  FateConfig chaos;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ExperimentConfig, mode, senders, packets, window, max_attempts, timeout, deadline,
              chaos)

class Experiment : public actord::Actor {
 public:
  using Config = ExperimentConfig;
  static constexpr std::string_view doc =
      "Sends packets through a network that loses some, and logs whether all arrived.";
  /// Escalates every failure. A child fails only because of a bug, or the unreliable network failed
  /// for another reason than a lost packet: the experiment cannot go on.
  static actord::Strategy supervision();

  /// Rejects rates of `chaos` that are above 1 together.
  static void validate(const Config& config, actord::Findings& findings);

  explicit Experiment(const Config& config) : config_(config) {}

  void sender_done(actord::Context& ctx, const SenderDone& m);
  void received(actord::Context& ctx, const Received& m);
  void carried(actord::Context& ctx, const Carried& m);
  void filtered(actord::Context& ctx, const Filtered& m);
  void deadline(actord::Context& ctx, const Deadline& m);

  using Receive =
      actord::Handlers<&Experiment::sender_done, &Experiment::received, &Experiment::carried,
                       &Experiment::filtered, &Experiment::deadline>;

 private:
  void pre_start(actord::Context& ctx) override;

  void get_tallies(actord::Context& ctx);
  void finish_if_complete(actord::Context& ctx);

  Config config_;
  actord::Ref receiver_, network_;
  std::chrono::nanoseconds started_{};
  std::uint32_t senders_done_ = 0;
  SenderDone sum_;
  bool is_counting_ = false;
  std::optional<Received> received_;
  std::optional<Carried> carried_;
  std::optional<Filtered> filtered_;
};

}  // namespace reliable_network
