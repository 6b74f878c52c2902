// SPDX-License-Identifier: Apache-2.0
//
// Messages for one receiver on their way together, in 256 bytes. To the mailbox a packet is one
// envelope; whoever takes it out puts what is inside in its place.
//
// What is most often sent in thousands, numbers and pointers of one type from one sender, travels
// without envelopes: 12 bytes a message instead of 32.
#pragma once

#include "message/envelope.hpp"

namespace actord::message {

struct Packet : Envelope {
  static constexpr std::uint32_t capacity = 22;

  static constexpr TypeId of_envelopes = 0;  // is the type of no message

  /// For the payloads of messages of that type, which fit into a word (MessageType::is_word), from
  /// one sender; or for envelopes, then from nobody, since each of them says from whom it comes.
  Packet(std::uint64_t to_, TypeId type, std::uint64_t from) noexcept : to(to_), word_type(type) {
    type_and_flags = packet;
    sender = from;
  }

  static Packet& of(Envelope& envelope) noexcept { return static_cast<Packet&>(envelope); }

  std::uint32_t size() const noexcept { return type(); }
  bool is_full() const noexcept { return size() == capacity; }
  bool holds_words() const noexcept { return word_type != of_envelopes; }
  bool holds(TypeId type, std::uint64_t from) const noexcept {
    return word_type == type && sender == from;
  }

  void add(Envelope* envelope) noexcept {
    const std::uint32_t n = size();
    envelope->next = nullptr;
    if (n != 0) items[n - 1].envelope->next = envelope;
    items[n].envelope = envelope;
    ++type_and_flags;
  }
  void add(const void* payload) noexcept {
    std::memcpy(&items[size()].word, payload, sizeof(std::uint64_t));
    ++type_and_flags;
  }

  union Item {
    Envelope* envelope;
    std::uint64_t word;
  };

  std::uint64_t to;
  TypeId word_type;
  Item items[capacity];
};
static_assert(sizeof(Packet) == 256, "a size of base::BlockPool");

}  // namespace actord::message
