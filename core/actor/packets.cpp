// SPDX-License-Identifier: Apache-2.0
//
// Messages that a handler sends in great number: collected in packets, pushed, and unpacked by the
// receiver.
#include "actor/thread_state.hpp"

namespace actord::actor {

namespace {

// The number of cpu_relax() calls before a packet is pushed to an overloaded actor that another
// worker runs: some 160 ns.
constexpr int pauses_per_packet = 8;

// The number of messages sent one by one after collecting was not worth it, before it is tried
// again. An attempt makes at most 512 useless packets, which costs little in comparison.
#ifdef ACTORD_SIM_POINTS
constexpr std::uint64_t messages_until_retry = 4;  // a simulation sends few messages
#else
constexpr std::uint64_t messages_until_retry = 16'384;
#endif

}  // namespace

template <class... Message>
[[gnu::always_inline]] inline void ThreadState::buffer(Ref to, Message... message) {
  EnvelopeList undelivered;
  const SendBuffer::Added outcome = send_buffer_.add(
      to, message..., blocks, [&](message::Packet* packet) { send(packet, undelivered); });
  if (!undelivered.is_empty()) [[unlikely]]
    send_to_dead_letters(undelivered);
  if (outcome == SendBuffer::Added::to_packet) [[likely]]
    return;
  worker->ensure_watcher();
  if (outcome == SendBuffer::Added::not_worth_it) {
    stop_collecting();
    flush_send_buffer();  // the next messages must not overtake the collected ones
  }
}

void ThreadState::stop_collecting() noexcept {
  collects_from_ = counters.sent + messages_until_retry;
}

// Collects only for receivers on this worker's own dispatcher. If none of its workers is idle and
// can send the packets of a stuck handler, none could run the receivers either.
[[gnu::noinline]] void ThreadState::collect(Cell& cell, Ref to, Envelope* envelope) {
  if (cell.dispatcher.load(base::relaxed) != dispatcher_id_ || !may_collect())
    return deliver(cell, to, as_carried(envelope));
  envelope->target_generation = generation_of(to);
  buffer(to, envelope);
}

// Whether messages to that actor may be collected now.
inline bool ThreadState::may_collect_for(const Cell* cell) noexcept {
  constexpr unsigned not_collected = Cell::bounded | Cell::backing_off | Cell::routing;
  return cell != nullptr && cell->dispatcher.load(base::relaxed) == dispatcher_id_ &&
         (cell->sender_flags.load(base::acquire) & not_collected) == 0 && may_collect();
}

[[gnu::noinline]] void ThreadState::tell_after_burst(Ref to, message::TypeId type, void* message,
                                                     Ref sender) {
  if (to == turns_.router()) [[unlikely]] {
    const Ref routee = turns_.take();
    to = routee != nobody ? routee : next_turn(to, type);
  }
  if (!may_collect_for(find(to))) [[unlikely]]
    return tell_one(to, type, message, sender);
  ++counters.sent;
  buffer(to, type, message, sender);
}

[[gnu::noinline]] void ThreadState::tell_one(Ref to, message::TypeId type, void* message,
                                             Ref sender) {
  const Cell* const cell = find(to);
  if (cell == nullptr || (cell->sender_flags.load(base::acquire) & Cell::routing) == 0)
    return push(to, wrap(type, message, sender));
  to = next_turn(to, type);
  if (!may_collect_for(find(to))) return push(to, wrap(type, message, sender));
  ++counters.sent;
  buffer(to, type, message, sender);
}

void ThreadState::end_burst() {
  Routes::give_back(turns_);
  flush_send_buffer();
}

// Undelivered messages become dead letters after the buffer was flushed and unlocked.
// end_handler() has ended collecting by then, so dead letters do not fill the buffer again.
[[gnu::noinline]] void ThreadState::flush_send_buffer() {
  EnvelopeList undelivered;
  const bool was_worth_it =
      send_buffer_.flush([&](message::Packet* packet) { send(packet, undelivered); });
  if (!was_worth_it) stop_collecting();
  send_to_dead_letters(undelivered);
}

void ThreadState::flush_stuck(void* of_worker, void* of_stuck_worker) {
  ThreadState& self = *static_cast<ThreadState*>(of_worker);
  EnvelopeList undelivered;
  static_cast<ThreadState*>(of_stuck_worker)
      ->send_buffer_.flush_as_other(
          [&](message::Packet* packet) { self.send(packet, undelivered); });
  self.send_to_dead_letters(undelivered);
}

// Called with the lock of a send buffer held, so that packets for one receiver are pushed in their
// order. A dead letter is itself a message that may be collected, which needs the same lock. So
// undelivered packets are only listed here, and become dead letters when the lock is free.
void ThreadState::send(message::Packet* packet, EnvelopeList& undelivered) {
  Cell& cell = cells_[packet->target_index()];
  const unsigned overloaded_by = cell.sender_flags.load(base::relaxed) & Cell::overload_mark;
  for (int i = 0; overloaded_by != 0 && overloaded_by != overload_mark_ && i < pauses_per_packet;
       ++i)
    base::cpu_relax();
  // A single message is pushed without its packet: a packet takes eight times the memory.
  Envelope* const pushed = packet->size() == 1 ? unpack(*packet).first() : packet;
  const MailboxWord::Pushed outcome = cell.mailbox.push(pushed);
  if (outcome == MailboxWord::Pushed::closed) {
    if (pushed != packet) {
      if (packet->holds_words()) free_block(pushed);  // it was a copy
      else pushed->next = nullptr;  // a failed CAS may have linked it to other mail
    }
    return undelivered.push_back(packet);
  }
  if (pushed != packet) free_any_block(packet);
  if (outcome == MailboxWord::Pushed::schedule) schedule(cell);
}

void ThreadState::send_to_dead_letters(EnvelopeList& undelivered) {
  for (Envelope* envelope = undelivered.take(); envelope != nullptr;) {
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
    // Prefetched together: loaded one by one, each would be a cache miss of its own.
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
