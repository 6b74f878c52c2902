// SPDX-License-Identifier: Apache-2.0

#include "unreliable.hpp"

namespace reliable_network {

void Unreliable::carry(actord::Context& ctx, const Transmit& m) {
  const Packet& packet = m.packet;
  const PacketFate fate = settings_.fate.judge(packet.sender, m.sequence, m.attempt);
  const bool is_dropped = fate == PacketFate::lost || fate == PacketFate::answer_lost;
  // A copy without a sender: nobody can be answered.
  if (fate == PacketFate::answer_lost || fate == PacketFate::doubled)
    ctx.tell(settings_.arrivals, Transmit{m}, actord::Ref{});
  if (!is_dropped) return ctx.forward(settings_.arrivals);
  ctx.tell(ctx.parent(), Dropped{});
  throw PacketLost(fate == PacketFate::lost ? "a packet was lost" : "a receipt was lost", m,
                   {{"sender", packet.sender}, {"number", packet.number}, {"attempt", m.attempt}});
}

// On the old instance, which has nothing to keep: the message that it failed on, and whoever sent
// that, are all it takes to make good the loss.
void Unreliable::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  const auto* lost = ctx.message_as<Transmit>();
  if (lost != nullptr && settings_.mode == Mode::resend) carry_again(ctx, *lost);
  if (lost != nullptr && settings_.mode == Mode::replies) ctx.reply_failure(reason);
  Actor::pre_restart(ctx, reason);
}

// Behind what waits already: order is for the far end to restore.
void Unreliable::carry_again(actord::Context& ctx, const Transmit& lost) {
  if (lost.attempt < settings_.max_attempts) {
    ctx.tell(ctx.self(), Transmit{lost.sequence, lost.attempt + 1, lost.packet}, ctx.sender());
  } else {
    ctx.tell(ctx.sender(), Lost{lost.packet.sender, lost.sequence, lost.attempt});
  }
}

}  // namespace reliable_network
