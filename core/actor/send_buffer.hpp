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
  bool is_empty() const noexcept { return count_.load(base::relaxed) == 0; }

  /// Where a message was added.
  enum class Added : std::uint8_t {
    to_packet,
    to_new_packet,
    not_worth_it  // to a new packet; as most packets hold one message, collecting is not worth it
  };
  /// Owner. Adds an envelope. Calls `send(Packet*)` for a packet that is full or whose slot is
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
  bool flush(Send&& send) {
    bool is_worth_it = true;
    lock_.lock();
    send_all([&](Packet* packet) {
      if (!update_credit(packet->size())) is_worth_it = false;
      send(packet);
    });
    lock_.unlock();
    return is_worth_it;
  }
  /// Any other thread. Sends all packets, unless the lock is not available at once. True if it did.
  template <class Send>
  bool flush_as_other(Send&& send) {
    if (is_empty() || !lock_.try_lock_as_other()) return false;
    send_all(send);
    lock_.unlock_as_other();
    return true;
  }

  /// The buffer is a hash table: a packet lies in the bucket that its receiver's index gives. A
  /// bucket has slots for the packets of four receivers.
  static constexpr unsigned slots = 4, buckets = 64;
  /// The greatest credit, see update_credit(). It allows one message in each packet that is left
  /// when a handler returns.
  static constexpr std::int64_t credit_max = 2 * slots * buckets;

 private:
  struct alignas(64) Bucket {  // one cache line
    std::array<Ref, slots> to{};
    std::array<Packet*, slots> packets{};
  };

  // Adds `change`, which may be negative, to the number of packets.
  void change_count(int change) noexcept {
    count_.store(count_.load(base::relaxed) + static_cast<std::uint32_t>(change), base::relaxed);
  }
  template <class What, class Send>
  [[gnu::always_inline]] inline Added put(message::TypeId type, Ref sender, Ref to, What* what,
                                          base::BlockPool& blocks, Send& send) {
    lock_.lock();
    Bucket& bucket = buckets_[index_of(to) % buckets];
    unsigned slot = 0;
    while (slot != slots && bucket.to[slot] != to) ++slot;
    Added outcome = Added::to_packet;
    Packet* packet = slot != slots ? bucket.packets[slot] : nullptr;
    if (packet == nullptr || !packet->holds(type, sender)) [[unlikely]] {
      if (slot == slots) slot = emptiest_slot(bucket);
      outcome = Added::to_new_packet;
      if (bucket.packets[slot] != nullptr && !send_packet(bucket.packets[slot], send))
        outcome = Added::not_worth_it;
      packet = begin_packet(slot, type, sender, to, blocks);
    }
    packet->add(what);
    ++added_;
    if (packet->is_full()) [[unlikely]]
      send_packet(bucket.packets[slot], send);
    lock_.unlock();
    return outcome;
  }
  // Begins a packet in a free slot of the receiver's bucket.
  [[gnu::noinline]] Packet* begin_packet(unsigned slot, message::TypeId type, Ref sender, Ref to,
                                         base::BlockPool& blocks) {
    const unsigned at = index_of(to) % buckets;
    auto* const packet = new (blocks.take(base::block_of<Packet>))
        Packet(index_of(to), generation_of(to), type, sender);
    buckets_[at].to[slot] = to;
    buckets_[at].packets[slot] = packet;
    filled_ |= std::uint64_t{1} << at;
    change_count(1);
    return packet;
  }
  // The slot for a new receiver: a free one, or else the one whose packet has the fewest messages,
  // so that the fuller packets can be filled.
  [[gnu::noinline]] static unsigned emptiest_slot(const Bucket& bucket) noexcept {
    unsigned found = 0, least = UINT32_MAX;
    for (unsigned slot = 0; slot < slots; ++slot) {
      const Packet* const packet = bucket.packets[slot];
      const unsigned size = packet != nullptr ? packet->size() : 0;
      if (size < least) {
        found = slot;
        least = size;
      }
    }
    return found;
  }
  // Sends a packet; false as in update_credit(). Out of line, as it is called once for up to 28
  // messages.
  template <class Send>
  [[gnu::noinline]] bool send_packet(Packet*& packet, Send& send) {
    const bool is_worth_it = update_credit(packet->size());
    remove_and_send(packet, send);
    return is_worth_it;
  }
  // Called by the owner for each packet that is sent, with the number of its messages. False if
  // collecting is not worth it, because most packets hold one message: there are more receivers
  // than slots, or each receiver gets one message only. Each added message gives a credit of 1; a
  // packet with one message costs 2. With sixty receivers some twenty may compete for slots; the
  // credit of the full packets to the others then pays for them.
  bool update_credit(unsigned size) noexcept {
    credit_ = std::min(credit_ + std::exchange(added_, 0), credit_max);
    if (size != 1) return true;
    credit_ -= 2;
    if (credit_ >= 0) return true;
    credit_ = 0;
    return false;
  }
  template <class Send>
  void remove_and_send(Packet*& packet, Send& send) {
    send(std::exchange(packet, nullptr));
    change_count(-1);
  }
  template <class Send>
  void send_all(Send&& send) {
    for (std::uint64_t left = std::exchange(filled_, 0); left != 0; left &= left - 1) {
      for (Packet*& packet : buckets_[static_cast<unsigned>(std::countr_zero(left))].packets) {
        if (packet != nullptr) remove_and_send(packet, send);
      }
    }
  }

  base::BiasedLock lock_;
  base::Atomic<std::uint32_t> count_{0};  // number of packets
  std::int64_t added_ = 0, credit_ = 0;   // see update_credit(); only the owner uses them
  std::uint64_t filled_ = 0;              // one bit for each bucket that may have packets
  static_assert(buckets == 64);
  std::array<Bucket, buckets> buckets_{};
};

}  // namespace actord::actor
