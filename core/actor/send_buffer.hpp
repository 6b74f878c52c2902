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

#include <array>

#include "actor/ref.hpp"
#include "base/biased_lock.hpp"
#include "base/block_pool.hpp"
#include "message/packet.hpp"

namespace actord::actor {

class SendBuffer {
 public:
  /// Messages of a handler that are sent at once.
  static constexpr std::uint64_t burst = 16, never = UINT64_MAX / 2;

  using Packet = message::Packet;

  /// Any thread.
  bool is_empty() const noexcept { return waiting_.load(base::relaxed) == 0; }

  /// Owner. Packets that are full or in the way go to `send(Packet*)`, for one receiver in their
  /// order.
  template <class Send>
  void add(Ref to, message::Envelope* envelope, base::BlockPool& blocks, Send&& send) {
    put(Packet::of_envelopes, nobody, to, envelope, blocks, send);
  }
  /// The same for a message that is a word.
  template <class Send>
  void add(Ref to, message::TypeId type, const void* payload, Ref sender, base::BlockPool& blocks,
           Send&& send) {
    put(type, sender, to, payload, blocks, send);
  }
  /// Owner: everything.
  template <class Send>
  void empty(Send&& send) {
    lock_.lock();
    give_all(send);
    lock_.unlock();
  }
  /// Any other thread: everything, if the owner can be kept away meanwhile.
  template <class Send>
  bool empty_as_other(Send&& send) {
    if (is_empty() || !lock_.try_lock_as_other()) return false;
    give_all(send);
    lock_.unlock_as_other();
    return true;
  }

 private:
  Packet*& slot_of(Ref to) noexcept { return slots_[index_of(to) % slots_.size()]; }
  void note(int more) noexcept {
    waiting_.store(waiting_.load(base::relaxed) + static_cast<std::uint32_t>(more), base::relaxed);
  }
  template <class What, class Send>
  [[gnu::always_inline]] inline void put(message::TypeId type, Ref sender, Ref to, What* what,
                                         base::BlockPool& blocks, Send& send) {
    lock_.lock();
    Packet*& packet = slot_of(to);
    if (packet != nullptr && !(packet->to == to && packet->holds(type, sender)))
      let_go(packet, send);
    if (packet == nullptr) {
      packet = new (blocks.take(base::block_of<Packet>)) Packet(to, type, sender);
      note(1);
    }
    packet->add(what);
    if (packet->is_full()) let_go(packet, send);
    lock_.unlock();
  }
  // Out of line: once for every 22 messages.
  template <class Send>
  [[gnu::noinline]] void let_go(Packet*& slot, Send& send) {
    send(std::exchange(slot, nullptr));
    note(-1);
  }
  template <class Send>
  void give_all(Send& send) {
    for (Packet*& slot : slots_) {
      if (slot != nullptr) let_go(slot, send);
    }
  }

  base::BiasedLock lock_;
  base::Atomic<std::uint32_t> waiting_{0};  // packets that are being filled
  std::array<Packet*, 64> slots_{};
};

}  // namespace actord::actor
