// SPDX-License-Identifier: Apache-2.0
//
// Up to 28 messages from one worker to one receiver, in one block of 256 bytes. A mailbox treats a
// packet as one envelope; the receiver replaces it by the messages inside.
//
// Messages that are sent in thousands are mostly numbers or pointers of one type from one sender. A
// packet holds these without envelopes: 9 bytes a message instead of 32.
#pragma once

#include "message/envelope.hpp"

namespace actord::message {

struct Packet : Envelope {
  static constexpr std::uint32_t capacity = 28;

  static constexpr TypeId of_envelopes = 0;  // as word_type(): the packet holds envelopes

  /// A packet to the tenant `generation` of the cell `index`. It holds either the payloads of
  /// messages of `type` (MessageType::is_word) from the sender `from`; or, if `type` is
  /// of_envelopes, envelopes. Then `from` is 0, since each envelope has its own sender.
  Packet(std::uint32_t index, std::uint32_t generation, TypeId type, std::uint64_t from) noexcept {
    type_and_flags = packet;
    target_generation = generation;
    sender = from;
    std::memcpy(bytes, &index, sizeof index);
    std::memcpy(bytes + sizeof index, &type, sizeof type);
  }

  static Packet& of(Envelope& envelope) noexcept { return static_cast<Packet&>(envelope); }

  std::uint32_t target_index() const noexcept { return number_at(0); }
  TypeId word_type() const noexcept { return number_at(sizeof(std::uint32_t)); }
  std::uint32_t size() const noexcept { return type(); }
  bool is_full() const noexcept { return size() == capacity; }
  bool holds_words() const noexcept { return word_type() != of_envelopes; }
  bool holds(TypeId type, std::uint64_t from) const noexcept {
    return word_type() == type && sender == from;
  }

  void add(Envelope* envelope) noexcept {
    const std::uint32_t n = size();
    envelope->next = nullptr;
    if (n != 0) this->envelope(n - 1)->next = envelope;
    std::memcpy(item(n), &envelope, sizeof envelope);
    ++type_and_flags;
  }
  void add(const void* payload) noexcept {
    std::memcpy(item(size()), payload, item_size);
    ++type_and_flags;
  }

  Envelope* envelope(std::uint32_t i) const noexcept {
    Envelope* envelope;
    std::memcpy(&envelope, item(i), sizeof envelope);
    return envelope;
  }
  std::uint64_t word(std::uint32_t i) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, item(i), sizeof word);
    return word;
  }

 private:
  // The items begin where a small envelope ends, and fill the block.
  static constexpr std::size_t item_size = 8, items_begin = small_envelope_size;

  std::uint32_t number_at(std::size_t offset) const noexcept {
    std::uint32_t number;
    std::memcpy(&number, bytes + offset, sizeof number);
    return number;
  }
  std::byte* item(std::uint32_t i) noexcept {
    return reinterpret_cast<std::byte*>(this) + items_begin + item_size * i;
  }
  const std::byte* item(std::uint32_t i) const noexcept {
    return reinterpret_cast<const std::byte*>(this) + items_begin + item_size * i;
  }

  [[maybe_unused]] std::byte rest_[192];

  static_assert(items_begin + item_size * capacity == 256);
};
static_assert(sizeof(Packet) == 256, "a size of base::BlockPool");

}  // namespace actord::message
