// SPDX-License-Identifier: Apache-2.0

#include "durable_parties.hpp"

#include "unreliable.hpp"

namespace reliable_network {

// ---- sender -------------------------------------------------------------------------------------

actord::Redelivery DurableSender::redelivery() const {
  return {.first = settings_.retry, .longest = settings_.retry * 16};
}

void DurableSender::recovery_completed(actord::Context& ctx) {
  if (state().accepted < settings_.packets)
    ctx.start_timer("next", settings_.interval, NextPacket{}, settings_.interval);
  report_if_complete(ctx);
}

void DurableSender::next(actord::Context& ctx, const NextPacket&) {
  if (state().accepted >= settings_.packets) return ctx.cancel_timer("next");
  const std::uint64_t number = state().accepted + 1;
  persist(ctx, Accepted{{1, number, "packet " + std::to_string(number)}});
}

void DurableSender::apply(Accepting& accepting, const Accepted& event) {
  accepting.accepted = event.packet.number;
  deliver(settings_.network, [packet = event.packet](const actord::DeliveryId& id) {
    return Consignment{id, packet};
  });
}

void DurableSender::delivery_confirmed(actord::Context& ctx, std::uint64_t /*number*/) {
  report_if_complete(ctx);
}

void DurableSender::report_if_complete(actord::Context& ctx) {
  if (state().accepted >= settings_.packets && unconfirmed() == 0)
    ctx.tell(settings_.experiment, AllConfirmed{});
}

// ---- receiver -----------------------------------------------------------------------------------

void DurableReceiver::take(actord::Context& ctx, const Consignment& m) {
  if (state().deliveries.has(m.delivery)) {
    ++repeated_;
    return confirm_delivery(ctx, m.delivery);
  }
  persist(ctx, Arrived{m.delivery, m.packet.number},
          [](actord::Context& c, const Arrived& event) { confirm_delivery(c, event.delivery); });
}

void DurableReceiver::apply(Inventory& inventory, const Arrived& event) {
  inventory.deliveries.add(event.delivery);
  ++inventory.packets;
  inventory.numbers += event.number;
}

Holdings DurableReceiver::holdings(const GetHoldings&) const {
  return {state().packets, state().numbers, repeated_};
}

// ---- network ------------------------------------------------------------------------------------

// A packet that comes again is another attempt, of which the network keeps no count: it has the
// time for that. Without a sender, the receiver's confirmation goes nowhere.
void LossyNetwork::carry(actord::Context& ctx, const Consignment& m) {
  const PacketFate fate = fate_.fate_of(m.packet.sender, m.packet.number,
                                        static_cast<std::uint64_t>(ctx.now().count()));
  if (fate == PacketFate::answer_lost || fate == PacketFate::doubled)
    ctx.tell(receiver_, Consignment{m}, actord::Ref{});
  if (fate == PacketFate::through || fate == PacketFate::doubled) return ctx.forward(receiver_);
  throw PacketLost(fate == PacketFate::lost ? "a packet was lost" : "a confirmation was lost",
                   Transmit{.packet = m.packet},
                   {{"sender", m.packet.sender}, {"number", m.packet.number}});
}

}  // namespace reliable_network
