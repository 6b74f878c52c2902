// SPDX-License-Identifier: Apache-2.0
//
// What one handler sends and sends: from its seventeenth message on they are collected, for each
// receiver, and pushed as packets. A mailbox that many workers write to and read from passes from
// core to core once for a packet instead of once for a message, and its reader knows beforehand
// where the messages lie.
//
// The owner hands over what is left when the handler returns. A handler that does not return for a
// while is relieved of it: by a worker that has nothing else to do, see ThreadPool.
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
  /// Messages of a handler that are sent at once.
#ifdef ACTORD_SIM_POINTS
  static constexpr std::uint64_t burst = 1;  // so that short handlers collect
#else
  static constexpr std::uint64_t burst = 16;
#endif
  static constexpr std::uint64_t never = UINT64_MAX / 2;

  using Packet = message::Packet;

  /// Any thread.
  bool is_empty() const noexcept { return waiting_.load(base::relaxed) == 0; }

  enum class Added : std::uint8_t {
    to_packet,
    to_new_packet,
    for_nothing  // to a new one; as most leave alone, messages had better be sent one by one
  };
  /// Owner. Packets that are full or in the way go to `send(Packet*)`, for one receiver in their
  /// order.
  template <class Send>
  [[gnu::always_inline]] inline Added add(Ref to, message::Envelope* envelope,
                                          base::BlockPool& blocks, Send&& send) {
    return put(Packet::of_envelopes, nobody, to, envelope, blocks, send);
  }
  /// The same for a message that is a word.
  template <class Send>
  [[gnu::always_inline]] inline Added add(Ref to, message::TypeId type, const void* payload,
                                          Ref sender, base::BlockPool& blocks, Send&& send) {
    return put(type, sender, to, payload, blocks, send);
  }
  /// Owner: everything. False: it was for nothing, as above.
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
  /// Any other thread: everything, if the owner can be kept away meanwhile.
  template <class Send>
  bool empty_as_other(Send&& send) {
    if (is_empty() || !lock_.try_lock_as_other()) return false;
    give_all(send);
    lock_.unlock_as_other();
    return true;
  }

  /// Receivers that fall into one place and have packets there at the same time, and places.
  static constexpr unsigned ways = 4, places = 64;
  /// What is left over when a handler returns may leave alone after that many in company.
  static constexpr std::int64_t credit_max = 2 * ways * places;

 private:
  struct alignas(64) Place {  // a line of the cache
    std::array<Ref, ways> to{};
    std::array<Packet*, ways> packets{};
  };

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
  // Whoever comes last makes way for whoever comes next: the others go on filling their packets.
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
  // Out of line: once for every 28 messages. False: it was one for nothing.
  template <class Send>
  [[gnu::noinline]] bool let_go(Packet*& packet, Send& send) {
    const bool is_worth_it = judge(packet->size());
    hand_over(packet, send);
    return is_worth_it;
  }
  // Packets are for nothing if most messages leave alone, because each goes to another receiver and
  // there are more of them than there is room for, or each is told once. A message that is added
  // gives credit, one that leaves alone takes twice as much: among sixty receivers twenty may share
  // places, and the packets of the others, which fill up all at the same time, still pay for them.
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
  base::Atomic<std::uint32_t> waiting_{0};  // packets that are being filled
  std::int64_t added_ = 0, credit_ = 0;     // see judge(); the owner's
  std::uint64_t filled_ = 0;                // places that may have packets, a bit each
  static_assert(places == 64);
  std::array<Place, places> places_{};
};

}  // namespace actord::actor
