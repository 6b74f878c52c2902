// SPDX-License-Identifier: Apache-2.0
//
// Messages that a handler sends in great number: collected, handed over, and taken apart again.
#include "actor/thread_state.hpp"

namespace actord::actor {

namespace {

// For whoever sends packets to an actor that has more mail than it should, some 160 ns with each.
constexpr int pauses_of_packet = 8;

// Messages that are sent one by one after collecting was for nothing, before it is tried again:
// what a trial costs, at most 512 packets too many, is little beside them.
#ifdef ACTORD_SIM_POINTS
constexpr std::uint64_t messages_without = 4;  // few are sent in all
#else
constexpr std::uint64_t messages_without = 16'384;
#endif

}  // namespace

template <class... Message>
[[gnu::always_inline]] inline void ThreadState::buffer(Ref to, Message... message) {
  EnvelopeList refused;
  const SendBuffer::Added outcome = send_buffer_.add(
      to, message..., blocks, [&](message::Packet* packet) { send(packet, refused); });
  if (!refused.is_empty()) [[unlikely]]
    send_to_dead_letters(refused);
  if (outcome == SendBuffer::Added::to_packet) [[likely]]
    return;
  worker->leans_on_others();
  if (outcome == SendBuffer::Added::for_nothing) {
    stop_collecting();
    empty_send_buffer();  // what follows may not overtake it
  }
}

void ThreadState::stop_collecting() noexcept { collects_from_ = counters.sent + messages_without; }

// Only for receivers that this dispatcher's workers run: if none of them has time to relieve us,
// none would have had time to receive.
[[gnu::noinline]] void ThreadState::collect(Cell& cell, Ref to, Envelope* envelope) {
  if (cell.dispatcher.load(base::relaxed) != home_ || !may_collect())
    return deliver(cell, to, envelope);
  envelope->target_generation = generation_of(to);
  buffer(to, envelope);
}

[[gnu::noinline]] void ThreadState::tell_more(Ref to, message::TypeId type, void* message,
                                              Ref sender) {
  const Cell* const cell = find(to);
  if (cell == nullptr || cell->dispatcher.load(base::relaxed) != home_ ||
      (cell->sender_flags.load(base::acquire) & (Cell::bounded | Cell::backing_off)) != 0 ||
      !may_collect()) [[unlikely]]
    return push(to, wrap(type, message, sender));
  ++counters.sent;
  buffer(to, type, message, sender);
}

// Whoever is told of what was refused may be one of ours, and then that goes directly.
[[gnu::noinline]] void ThreadState::empty_send_buffer() {
  EnvelopeList refused;
  const bool was_worth_it =
      send_buffer_.empty([&](message::Packet* packet) { send(packet, refused); });
  if (!was_worth_it) stop_collecting();
  send_to_dead_letters(refused);
}

void ThreadState::relieve(void* of_worker, void* of_stuck_worker) {
  ThreadState& self = *static_cast<ThreadState*>(of_worker);
  EnvelopeList refused;
  static_cast<ThreadState*>(of_stuck_worker)
      ->send_buffer_.empty_as_other([&](message::Packet* packet) { self.send(packet, refused); });
  self.send_to_dead_letters(refused);
}

// With the lock of a send buffer held, so that packets for one receiver are pushed in their order:
// who is told of what is refused may send something himself, and so he is told later.
void ThreadState::send(message::Packet* packet, EnvelopeList& refused) {
  Cell& cell = cells_[packet->target_index()];
  const unsigned behind = cell.sender_flags.load(base::relaxed) & Cell::falling_behind;
  for (int i = 0; behind != 0 && behind != mark_ && i < pauses_of_packet; ++i) base::cpu_relax();
  // A message alone, as to each of many receivers, would take eight times its memory in a packet.
  Envelope* const pushed = packet->size() == 1 ? unpack(*packet).first() : packet;
  const MailboxWord::Pushed outcome = cell.mailbox.push(pushed);
  if (outcome == MailboxWord::Pushed::closed) {
    if (pushed != packet) {
      if (packet->holds_words()) free_block(pushed);  // it was a copy
      else pushed->next = nullptr;  // a try in vain has linked it to mail that others bury
    }
    return refused.push_back(packet);
  }
  if (pushed != packet) free_any_block(packet);
  if (outcome == MailboxWord::Pushed::schedule) schedule(cell);
}

void ThreadState::send_to_dead_letters(EnvelopeList& refused) {
  for (Envelope* envelope = refused.take(); envelope != nullptr;) {
    auto& packet = message::Packet::of(*std::exchange(envelope, envelope->next));
    const Ref to = receiver_of(packet);
    EnvelopeList list = unpack(packet);
    free_any_block(&packet);
    send_all_to_dead_letters(to, list);
  }
}

EnvelopeList ThreadState::unpack(message::Packet& packet) {
  const std::uint32_t n = packet.size();
  if (!packet.holds_words()) {
    // All at once: one after the other would be as many misses of the cache.
    for (std::uint32_t i = 0; i < n; ++i) __builtin_prefetch(packet.envelope(i), 1);
    return {packet.envelope(0), packet.envelope(n - 1)};
  }
  EnvelopeList list;
  for (std::uint32_t i = 0; i < n; ++i) {
    Envelope* const envelope = envelopes_.take_small();
    envelope->type_and_flags = packet.word_type() | Envelope::small;
    envelope->target_generation = packet.target_generation;
    envelope->sender = packet.sender;
    const std::uint64_t word = packet.word(i);
    std::memcpy(envelope->bytes, &word, sizeof word);
    list.push_back(envelope);
  }
  return list;
}

}  // namespace actord::actor
