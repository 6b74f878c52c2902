// SPDX-License-Identifier: Apache-2.0

#include "durable_experiment.hpp"

#include <actord/backoff_supervisor.hpp>

#include <string>

#include "durable_parties.hpp"
#include "unreliable.hpp"

namespace reliable_network {

using namespace std::chrono_literals;

std::vector<actord::About> DurableConfig::about() {
  using C = DurableConfig;
  return {
      actord::about(&C::packets).between(1, 1'000'000).doc("Packets that the sender sends."),
      actord::about(&C::interval).at_least(10us).doc("Time between two of them."),
      actord::about(&C::retry).at_least(1ms).doc(
          "Time until a packet is sent again; twice as long with each attempt, up to 16 "
          "times as long."),
  };
}

actord::Strategy DurableExperiment::supervision() {
  return actord::one_for_one()
      .on<PacketLost>(actord::Directive::restart)
      .otherwise(actord::Directive::escalate);
}

void DurableExperiment::validate(const Config& config, actord::Findings& findings) {
  reject_excess(config.chaos, findings, &Config::chaos);
}

void DurableExperiment::pre_start(actord::Context& ctx) {
  started_ = ctx.now();
  const auto comes_back = [] { return actord::BackoffOptions::on_stop(100ms, 5s); };
  const FateConfig& chaos = config_.chaos;
  receiver_ =
      ctx.spawn<actord::BackoffSupervisor<DurableReceiver>>("receiver", comes_back(), "inventory");
  const FatePlan fate{{chaos.loss, chaos.answer_loss, chaos.duplicate}, chaos.seed};
  const actord::Ref network = ctx.spawn<LossyNetwork>("network", receiver_, fate);
  ctx.spawn<actord::BackoffSupervisor<DurableSender>>(
      "sender", comes_back(), "outbox",
      DurableSenderSettings{config_.packets, config_.interval, config_.retry, ctx.path(network),
                            ctx.self()});
}

void DurableExperiment::confirmed(actord::Context& ctx, const AllConfirmed&) {
  ctx.tell(receiver_, GetHoldings{});
}

// `delivered` counts what is in the receiver, from all processes that have run.
void DurableExperiment::counted(actord::Context& ctx, const Holdings& m) {
  const double seconds = std::chrono::duration<double>(ctx.now() - started_).count();
  const std::uint64_t packets = config_.packets;
  const bool is_each_once = m.packets == packets && m.numbers == packets * (packets + 1) / 2;
  ctx.event(is_each_once ? actord::Level::info : actord::Level::error, "network.finished",
            "all packets were confirmed",
            {{"network.mode", "durable"},
             {"network.sent", packets},
             {"network.delivered", m.packets},
             {"network.duplicates", m.repeated},
             {"network.each_once", is_each_once},
             {"network.seconds", seconds}});
}

}  // namespace reliable_network
