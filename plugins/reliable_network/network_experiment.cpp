// SPDX-License-Identifier: Apache-2.0

#include "network_experiment.hpp"

#include <string>

#include "parties.hpp"
#include "reliable.hpp"

namespace reliable_network {
namespace {

using namespace std::chrono_literals;
constexpr std::uint32_t senders_max = 1000;
constexpr std::uint32_t window_max = 1000;
constexpr std::uint64_t packets_max = 1'000'000;

void require(bool is_good, const char* rule) {
  if (!is_good) throw actord::Error(std::string{"reliable_network config: "} + rule);
}

bool is_share(double value) { return value >= 0 && value <= 1; }

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::resend: return "resend";
    case Mode::replies: return "replies";
    case Mode::timeouts: return "timeouts";
  }
  return {};
}

}  // namespace

actord::Strategy Experiment::supervision() {
  return actord::one_for_one().otherwise(actord::Directive::escalate);
}

Experiment::Experiment(const Config& config) : config_(config) {
  require(config.senders >= 1 && config.senders <= senders_max, "senders must be 1 to 1000");
  require(config.packets >= 1 && config.packets <= packets_max, "packets must be 1 to 1000000");
  require(config.window >= 1 && config.window <= window_max, "window must be 1 to 1000");
  require(config.max_attempts >= 1, "max-attempts must be 1 or more");
  require(config.timeout >= 1ms, "timeout must be 1 ms or more");
  require(config.deadline >= 1ms, "deadline must be 1 ms or more");
  const FateConfig& chaos = config.chaos;
  require(is_share(chaos.loss) && is_share(chaos.answer_loss) && is_share(chaos.duplicate) &&
              chaos.loss + chaos.answer_loss + chaos.duplicate <= 1,
          "loss, answer-loss and duplicate of chaos must be 0 to 1, and at most 1 together");
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
          // Where the network says that it has failed, waiting is for nobody but a broken one.
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
  ctx.event(actord::Level::info, "network.finished", "every sender has been heard",
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
