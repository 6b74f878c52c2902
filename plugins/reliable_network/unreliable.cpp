// SPDX-License-Identifier: Apache-2.0

#include "unreliable.hpp"

namespace reliable_network {

void Unreliable::carry(actord::Context& ctx, const Transmit& m) {
  const Packet& packet = m.packet;
  const PacketFate fate = settings_.fate.fate_of(packet.sender, m.sequence, m.attempt);
  const bool is_dropped = fate == PacketFate::lost || fate == PacketFate::answer_lost;
  // This copy has no sender, so that the far end sends no receipt for it.
  if (fate == PacketFate::answer_lost || fate == PacketFate::doubled)
    ctx.tell(settings_.arrivals, Transmit{m}, actord::Ref{});
  if (!is_dropped) return ctx.forward(settings_.arrivals);
  ctx.tell(ctx.parent(), Dropped{});
  throw PacketLost(fate == PacketFate::lost ? "a packet was lost" : "a receipt was lost", m,
                   {{"sender", packet.sender}, {"number", packet.number}, {"attempt", m.attempt}});
}

// Repairs the loss with the message on which the instance failed, and with its sender. The instance
// has no other state that is needed.
void Unreliable::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  const auto* lost = ctx.message_as<Transmit>();
  if (lost != nullptr && settings_.mode == Mode::resend) carry_again(ctx, *lost);
  if (lost != nullptr && settings_.mode == Mode::replies) ctx.reply_failure(reason);
  Actor::pre_restart(ctx, reason);
}

// The packet goes to the end of the mailbox; the far end restores the order.
void Unreliable::carry_again(actord::Context& ctx, const Transmit& lost) {
  if (lost.attempt < settings_.max_attempts) {
    ctx.tell(ctx.self(), Transmit{lost.sequence, lost.attempt + 1, lost.packet}, ctx.sender());
  } else {
    ctx.tell(ctx.sender(), Lost{lost.packet.sender, lost.sequence, lost.attempt});
  }
}

}  // namespace reliable_network
