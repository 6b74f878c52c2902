// SPDX-License-Identifier: Apache-2.0

#include "courier.hpp"

namespace reliable_network {

void Courier::carry(actord::Context& ctx, const Transmit& m) {
  carried_ = m;
  attempt(ctx);
}

void Courier::attempt(actord::Context& ctx) {
  ctx.ask<&Courier::answered>(settings_.network, Transmit{carried_}, settings_.timeout);
}

void Courier::answered(actord::Context& ctx, const actord::Reply<Receipt>& reply) {
  if (reply) return ctx.tell(ctx.parent(), Receipt{*reply});
  // A failure of the network carries the packet. A timeout does not, so the courier keeps a copy.
  if (const auto* failed = reply.failure().payload_as<Transmit>()) carried_ = *failed;
  if (carried_.attempt >= settings_.max_attempts) {
    return ctx.tell(ctx.parent(),
                    Lost{carried_.packet.sender, carried_.sequence, carried_.attempt});
  }
  ++carried_.attempt;
  attempt(ctx);
}

}  // namespace reliable_network
