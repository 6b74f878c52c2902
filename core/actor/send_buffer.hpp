// SPDX-License-Identifier: Apache-2.0
//
// Collects the messages of a handler that sends many: from the seventeenth on, they are put into
// packets, one for each receiver, and the packets are pushed. The cache line of a mailbox then
// moves from core to core once for a packet instead of once for a message, and the receiver can
// prefetch the messages.
//
// When the handler returns, its worker sends the packets that are left. If the handler takes long,
// an idle worker sends them (ThreadPool).
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "actor/ref.hpp"
#include "base/biased_lock.hpp"
#include "base/block_pool.hpp"
#include "message/packet.hpp"

namespace actord::actor {

inline Ref receiver_of(const message::Packet& packet) noexcept {
  return make_ref(packet.target_index(), packet.target_generation);
}

class SendBuffer {
 public:
  /// The number of messages of a handler that are sent at once, before more are collected.
#ifdef ACTORD_SIM_POINTS
  static constexpr std::uint64_t burst = 1;  // so that short handlers collect, too
#else
  static constexpr std::uint64_t burst = 16;
#endif
  /// A number of messages that is never reached. Adding it to a count does not overflow.
  static constexpr std::uint64_t never = UINT64_MAX / 2;

  using Packet = message::Packet;

  /// Any thread.
  bool is_empty() const noexcept { return waiting_.load(base::relaxed) == 0; }

  enum class Added : std::uint8_t {
    to_packet,
    to_new_packet,
    for_nothing  // to a new packet; as most packets hold one message, collecting is not worth it
  };
  /// Owner. Adds an envelope. Calls `send(Packet*)` for a packet that is full or whose place is
  /// needed. Packets for one receiver are sent in their order.
  template <class Send>
  [[gnu::always_inline]] inline Added add(Ref to, message::Envelope* envelope,
                                          base::BlockPool& blocks, Send&& send) {
    return put(Packet::of_envelopes, nobody, to, envelope, blocks, send);
  }
  /// The same for a message of one word (MessageType::is_word), which needs no envelope.
  template <class Send>
  [[gnu::always_inline]] inline Added add(Ref to, message::TypeId type, const void* payload,
                                          Ref sender, base::BlockPool& blocks, Send&& send) {
    return put(type, sender, to, payload, blocks, send);
  }
  /// Owner. Sends all packets. False: collecting was not worth it, as above.
  template <class Send>
  bool empty(Send&& send) {
    bool is_worth_it = true;
    lock_.lock();
    give_all([&](Packet* packet) {
      if (!judge(packet->size())) is_worth_it = false;
      send(packet);
    });
    lock_.unlock();
    return is_worth_it;
  }
  /// Any other thread. Sends all packets, unless the lock is not available at once. True if it did.
  template <class Send>
  bool empty_as_other(Send&& send) {
    if (is_empty() || !lock_.try_lock_as_other()) return false;
    give_all(send);
    lock_.unlock_as_other();
    return true;
  }

  /// A receiver's packet is kept in one of 64 places, by the receiver's index. A place has packets
  /// for up to four receivers at a time.
  static constexpr unsigned ways = 4, places = 64;
  /// The greatest credit, see judge(): it allows one message in each packet that is left when a
  /// handler returns.
  static constexpr std::int64_t credit_max = 2 * ways * places;

 private:
  struct alignas(64) Place {  // one cache line
    std::array<Ref, ways> to{};
    std::array<Packet*, ways> packets{};
  };

  // Adds `more` to the number of packets.
  void note(int more) noexcept {
    waiting_.store(waiting_.load(base::relaxed) + static_cast<std::uint32_t>(more), base::relaxed);
  }
  template <class What, class Send>
  [[gnu::always_inline]] inline Added put(message::TypeId type, Ref sender, Ref to, What* what,
                                          base::BlockPool& blocks, Send& send) {
    lock_.lock();
    Place& place = places_[index_of(to) % places];
    unsigned way = 0;
    while (way != ways && place.to[way] != to) ++way;
    Added outcome = Added::to_packet;
    Packet* packet = way != ways ? place.packets[way] : nullptr;
    if (packet == nullptr || !packet->holds(type, sender)) [[unlikely]] {
      if (way == ways) way = emptiest(place);
      outcome = Added::to_new_packet;
      if (place.packets[way] != nullptr && !let_go(place.packets[way], send))
        outcome = Added::for_nothing;
      packet = begin(way, type, sender, to, blocks);
    }
    packet->add(what);
    ++added_;
    if (packet->is_full()) [[unlikely]]
      let_go(place.packets[way], send);
    lock_.unlock();
    return outcome;
  }
  // Begins a packet in a free way of the receiver's place.
  [[gnu::noinline]] Packet* begin(unsigned way, message::TypeId type, Ref sender, Ref to,
                                  base::BlockPool& blocks) {
    const unsigned at = index_of(to) % places;
    auto* const packet = new (blocks.take(base::block_of<Packet>))
        Packet(index_of(to), generation_of(to), type, sender);
    places_[at].to[way] = to;
    places_[at].packets[way] = packet;
    filled_ |= std::uint64_t{1} << at;
    note(1);
    return packet;
  }
  // The way for a new receiver: a free one, or else the one whose packet has the fewest messages,
  // so that the fuller packets can be filled.
  [[gnu::noinline]] static unsigned emptiest(const Place& place) noexcept {
    unsigned found = 0, least = UINT32_MAX;
    for (unsigned way = 0; way < ways; ++way) {
      const Packet* const packet = place.packets[way];
      const unsigned size = packet != nullptr ? packet->size() : 0;
      if (size < least) {
        found = way;
        least = size;
      }
    }
    return found;
  }
  // Sends a packet; false as in judge(). Out of line, as it is called for up to 28 messages at
  // once.
  template <class Send>
  [[gnu::noinline]] bool let_go(Packet*& packet, Send& send) {
    const bool is_worth_it = judge(packet->size());
    hand_over(packet, send);
    return is_worth_it;
  }
  // Called for each packet that leaves; false if collecting is not worth it, because most packets
  // hold one message: there are more receivers than ways, or each gets one message only. Each added
  // message gives a credit of 1; a packet with one message costs 2. With sixty receivers some
  // twenty may compete for ways; the credit of the full packets to the others then pays for them.
  bool judge(unsigned size) noexcept {
    credit_ = std::min(credit_ + std::exchange(added_, 0), credit_max);
    if (size != 1) return true;
    credit_ -= 2;
    if (credit_ >= 0) return true;
    credit_ = 0;
    return false;
  }
  template <class Send>
  void hand_over(Packet*& packet, Send& send) {
    send(std::exchange(packet, nullptr));
    note(-1);
  }
  template <class Send>
  void give_all(Send&& send) {
    for (std::uint64_t left = std::exchange(filled_, 0); left != 0; left &= left - 1) {
      for (Packet*& packet : places_[static_cast<unsigned>(std::countr_zero(left))].packets) {
        if (packet != nullptr) hand_over(packet, send);
      }
    }
  }

  base::BiasedLock lock_;
  base::Atomic<std::uint32_t> waiting_{0};  // number of packets
  std::int64_t added_ = 0, credit_ = 0;     // see judge(); only the owner uses them
  std::uint64_t filled_ = 0;                // one bit for each place that may have packets
  static_assert(places == 64);
  std::array<Place, places> places_{};
};

}  // namespace actord::actor
