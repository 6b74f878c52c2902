// SPDX-License-Identifier: Apache-2.0

#include "reliable.hpp"

#include <string>
#include <utility>

#include "arrivals.hpp"
#include "courier.hpp"

namespace reliable_network {

actord::Strategy Reliable::supervision() {
  return actord::one_for_one()
      .on<PacketLost>(actord::Directive::restart, actord::Level::info)
      .otherwise(actord::Directive::escalate);
}

Reliable::Reliable(actord::Context& ctx, const ReliableSettings& settings) : settings_(settings) {
  arrivals_ = ctx.spawn<Arrivals>("arrivals", settings.receiver);
  unreliable_ = ctx.spawn<Unreliable>(
      "unreliable",
      UnreliableSettings{settings.mode, settings.max_attempts, settings.fate, arrivals_});
  ctx.watch(unreliable_);
}

void Reliable::accept(actord::Context& ctx, const Packet& m) {
  const auto [at, is_new] =
      streams_.try_emplace(m.sender, Stream{ctx.sender(), Outbox{settings_.window}});
  at->second.outbox.accept(m);
  proceed(ctx, at->second);
}

// ---- results ------------------------------------------------------------------------------------

void Reliable::arrived(actord::Context& ctx, const Receipt& m) {
  Stream& stream = streams_.at(m.sender);
  const auto packet = stream.outbox.complete(m.sequence);
  if (!packet) return;  // answered already
  carried_.resent += m.attempt - 1;
  ctx.tell(stream.sender, Delivered{packet->number});
  proceed(ctx, stream);
}

void Reliable::lost(actord::Context& ctx, const Lost& m) { ctx.tell(arrivals_, Abandon{m}); }

void Reliable::abandoned(actord::Context& ctx, const Abandoned& m) {
  Stream& stream = streams_.at(m.lost.sender);
  const auto packet = stream.outbox.complete(m.lost.sequence);
  if (!packet) return;
  carried_.resent += m.lost.attempts == 0 ? 0 : m.lost.attempts - 1;
  if (m.has_arrived) {
    ctx.tell(stream.sender, Delivered{packet->number});
  } else {
    ctx.event(
        actord::Level::warning, "network.given_up", "gave up a packet",
        {{"sender", packet->sender}, {"number", packet->number}, {"attempts", m.lost.attempts}});
    ctx.tell(stream.sender, Undeliverable{packet->number, m.lost.attempts});
  }
  proceed(ctx, stream);
}

void Reliable::dropped(const Dropped&) { ++carried_.dropped; }

// The directive for the unreliable network was stop. No message comes for the packet on which it
// failed, so all packets under way are given up here.
void Reliable::terminated(actord::Context& ctx, const actord::Terminated&) {
  is_network_gone_ = true;
  ctx.event(actord::Level::error, "network.gone", "the unreliable network has stopped");
  for (const auto& [sender, stream] : streams_) {
    for (const std::uint64_t sequence : stream.outbox.under_way()) lost(ctx, {sender, sequence, 0});
  }
}

// ---- sending ------------------------------------------------------------------------------------

void Reliable::proceed(actord::Context& ctx, Stream& stream) {
  while (auto next = stream.outbox.next()) transmit(ctx, std::move(*next));
}

void Reliable::transmit(actord::Context& ctx, Transmit m) {
  if (is_network_gone_) return lost(ctx, {m.packet.sender, m.sequence, 0});
  const actord::Ref carrier = settings_.mode == Mode::resend ? unreliable_ : courier(ctx, m);
  ctx.tell(carrier, std::move(m));
}

// There is one courier for each slot of the window. Two packets under way never have the same slot.
actord::Ref Reliable::courier(actord::Context& ctx, const Transmit& m) {
  const std::uint64_t slot = m.sequence % settings_.window;
  actord::Ref& ref = couriers_[{m.packet.sender, slot}];
  if (!ref) {
    const std::string name =
        "courier-" + std::to_string(m.packet.sender) + '-' + std::to_string(slot);
    ref = ctx.spawn<Courier>(
        name, CourierSettings{unreliable_, settings_.max_attempts, settings_.timeout});
  }
  return ref;
}

void Reliable::tally(actord::Context& ctx, const GetTally&) {
  ctx.reply(Carried{carried_});
  ctx.forward(arrivals_);
}

}  // namespace reliable_network
