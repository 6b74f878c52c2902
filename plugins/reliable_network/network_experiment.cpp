// SPDX-License-Identifier: Apache-2.0

#include "network_experiment.hpp"

#include <string>

#include "parties.hpp"
#include "reliable.hpp"

namespace reliable_network {
namespace {

using namespace std::chrono_literals;

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::resend: return "resend";
    case Mode::replies: return "replies";
    case Mode::timeouts: return "timeouts";
  }
  return {};
}

}  // namespace

std::vector<actord::About> FateConfig::about() {
  using C = FateConfig;
  return {
      actord::about(&C::loss).between(0, 1).doc("Share of packets that are lost."),
      actord::about(&C::answer_loss)
          .between(0, 1)
          .doc("Share of packets that arrive and whose answer is lost."),
      actord::about(&C::duplicate)
          .between(0, 1)
          .doc("Share of packets that arrive twice. The three are at most 1 together."),
      actord::about(&C::seed).doc("Seed of the random choice."),
  };
}

std::vector<actord::About> ExperimentConfig::about() {
  using C = ExperimentConfig;
  return {
      actord::about(&C::mode).doc("How a lost packet is sent again."),
      actord::about(&C::senders).between(1, 1000).doc("Actors that send."),
      actord::about(&C::packets).between(1, 1'000'000).doc("Packets that each sender sends."),
      actord::about(&C::window)
          .between(1, 1000)
          .doc("Packets of one sender that are sent and not yet answered, at most."),
      actord::about(&C::max_attempts)
          .at_least(1)
          .doc("Attempts for one packet before it is given up."),
      actord::about(&C::timeout)
          .at_least(1ms)
          .doc("Time limit of an attempt, with mode = timeouts."),
      actord::about(&C::deadline).at_least(1ms).doc("Time limit of the whole experiment."),
  };
}

actord::Strategy Experiment::supervision() {
  return actord::one_for_one().otherwise(actord::Directive::escalate);
}

void Experiment::validate(const Config& config, actord::Findings& findings) {
  reject_excess(config.chaos, findings, &Config::chaos);
}

void Experiment::pre_start(actord::Context& ctx) {
  started_ = ctx.now();
  ctx.start_timer("deadline", config_.deadline, Deadline{});
  const FateConfig& chaos = config_.chaos;
  const Mode mode = *config_.mode;
  receiver_ = ctx.spawn<Receiver>("receiver");
  network_ = ctx.spawn<Reliable>(
      "reliable",
      ReliableSettings{
          .mode = mode,
          .window = config_.window,
          .max_attempts = config_.max_attempts,
          // In the other modes the network reports failures: only the deadline limits an attempt.
          .timeout = mode == Mode::timeouts ? config_.timeout : config_.deadline,
          .fate = FatePlan{{chaos.loss, chaos.answer_loss, chaos.duplicate}, chaos.seed},
          .receiver = receiver_});
  for (std::uint32_t number = 1; number <= config_.senders; ++number) {
    ctx.spawn<Sender>("sender-" + std::to_string(number),
                      SenderSettings{number, config_.packets, network_});
  }
}

void Experiment::sender_done(actord::Context& ctx, const SenderDone& m) {
  sum_.delivered += m.delivered;
  sum_.undeliverable += m.undeliverable;
  if (++senders_done_ == config_.senders) get_tallies(ctx);
}

void Experiment::deadline(actord::Context& ctx, const Deadline&) {
  ctx.event(actord::Level::error, "network.overdue", "not every packet was answered in time",
            {{"senders_done", senders_done_}, {"senders", config_.senders}});
  get_tallies(ctx);
}

void Experiment::get_tallies(actord::Context& ctx) {
  if (is_counting_) return;
  is_counting_ = true;
  ctx.cancel_timer("deadline");
  ctx.tell(receiver_, GetTally{});
  ctx.tell(network_, GetTally{});
}

void Experiment::received(actord::Context& ctx, const Received& m) {
  received_ = m;
  finish_if_complete(ctx);
}

void Experiment::carried(actord::Context& ctx, const Carried& m) {
  carried_ = m;
  finish_if_complete(ctx);
}

void Experiment::filtered(actord::Context& ctx, const Filtered& m) {
  filtered_ = m;
  finish_if_complete(ctx);
}

void Experiment::finish_if_complete(actord::Context& ctx) {
  if (!received_ || !carried_ || !filtered_) return;
  const double seconds = std::chrono::duration<double>(ctx.now() - started_).count();
  ctx.event(actord::Level::info, "network.finished", "all senders have finished",
            {{"network.mode", name_of(*config_.mode)},
             {"network.sent", config_.packets * config_.senders},
             {"network.delivered", received_->packets},
             {"network.undeliverable", sum_.undeliverable},
             {"network.answered", sum_.delivered + sum_.undeliverable},
             {"network.dropped", carried_->dropped},
             {"network.resent", carried_->resent},
             {"network.duplicates", filtered_->duplicates},
             {"network.in_order", received_->is_in_order && received_->repeated == 0},
             {"network.seconds", seconds}});
}

}  // namespace reliable_network
