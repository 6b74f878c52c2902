// SPDX-License-Identifier: Apache-2.0
//
// One message on its way: 64 bytes, the payload inside when it fits; or only the first 32 of them,
// which hold what most messages are, a number or a pointer. Half the bytes are half the cache lines
// of a backlog.
//
// An envelope is pushed into a mailbox once in its life (core/ARCHITECTURE.md, invariants): whoever
// sends "the same message" again moves or copies the payload into a fresh envelope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/assert.hpp"
#include "message/message_type.hpp"

namespace actord::message {

struct alignas(32) Envelope {
  static constexpr std::size_t inline_size = 40;
  static constexpr std::size_t small_inline_size = 8;  // of a small one, which has no more bytes

  enum Flag : std::uint32_t {
    outside = 1u << 31,     // the payload lies on the heap
    correlated = 1u << 30,  // a token precedes the payload
    ask = 1u << 29,         // the sender waits for an answer with this token
    reply = 1u << 28,       // the answer to the ask with this token
    tick = 1u << 27,        // a timer of the receiver with this token; no payload
    refusal = 1u << 26,     // with reply: the payload is a pointer to a failure
    managed = 1u << 25,     // the payload is not trivial: it has to be moved and destroyed
    small = 1u << 24,       // of the block, and stays with it: there are only 32 bytes
    packet = 1u << 23,      // no message but several, see packet.hpp
    type_mask = (1u << 23) - 1
  };

  Envelope* next;
  std::uint32_t type_and_flags;
  std::uint32_t target_generation;
  std::uint64_t sender;
  alignas(8) std::byte bytes[inline_size];

  TypeId type() const noexcept { return type_and_flags & type_mask; }
  bool has(std::uint32_t any_of) const noexcept { return (type_and_flags & any_of) != 0; }

  std::uint64_t token() const noexcept {
    std::uint64_t token;
    std::memcpy(&token, bytes, sizeof token);
    return token;
  }
  void* payload() noexcept {
    if (!has(correlated | outside)) [[likely]]
      return bytes;
    std::byte* const at = bytes + (has(correlated) ? sizeof(std::uint64_t) : 0);
    if (!has(outside)) return at;
    void* pointer;
    std::memcpy(&pointer, at, sizeof pointer);
    return pointer;
  }
};
static_assert(sizeof(Envelope) == 64, "one cache line");
inline constexpr std::size_t small_envelope_size =
    offsetof(Envelope, bytes) + Envelope::small_inline_size;
static_assert(small_envelope_size == 32, "half a cache line");

/// Gives `to`, which is not small, the type, flags and token and answers where its payload is to be
/// constructed. The caller constructs it before anything else happens to the envelope. Throws
/// std::bad_alloc for large payloads.
inline void* prepare(Envelope& to, TypeId id, const MessageType& type, std::uint32_t flags = 0,
                     std::uint64_t token = 0) {
  const bool with_token = (flags & Envelope::correlated) != 0;
  const bool is_outside = with_token ? !type.fits_correlated : !type.fits_inline;
  to.type_and_flags = id | flags | (is_outside ? Envelope::outside : 0u) |
                      (type.is_trivial ? 0u : Envelope::managed);
  if (with_token) std::memcpy(to.bytes, &token, sizeof token);
  if (!is_outside) [[likely]]
    return to.payload();
  void* const block = ::operator new(type.size, std::align_val_t{type.table->align});
  std::memcpy(to.bytes + (with_token ? sizeof token : 0), &block, sizeof block);
  return block;
}

/// Gives a small envelope its type and its payload, which must be of at most small_inline_size
/// bytes.
inline void fill_small(Envelope& to, TypeId id, const MessageType& type, void* from) noexcept {
  to.type_and_flags = id | Envelope::small | (type.is_trivial ? 0u : Envelope::managed);
  if (type.is_trivial) [[likely]] {
    if (type.size == 8) std::memcpy(to.bytes, from, 8);
    else std::memcpy(to.bytes, from, type.size);
  } else {
    type.table->move(to.bytes, from);
  }
}

/// Moves *from into the envelope, which is not small; *from stays to be destroyed by its owner.
inline void fill(Envelope& to, TypeId id, const MessageType& type, void* from,
                 std::uint32_t flags = 0, std::uint64_t token = 0) {
  void* const at = prepare(to, id, type, flags, token);
  if (type.is_trivial) [[likely]] {
    if (type.size == 8) std::memcpy(at, from, 8);
    else std::memcpy(at, from, type.size);
  } else {
    type.table->move(at, from);
  }
}

/// Destroys the payload; the envelope's block remains the caller's.
inline void clear(Envelope& envelope, const MessageType& type) noexcept {
  if (envelope.has(Envelope::managed)) type.table->destroy(envelope.payload());
  if (envelope.has(Envelope::outside)) [[unlikely]] {
    ::operator delete(envelope.payload(), std::align_val_t{type.table->align});
  }
}

/// Moves the whole content into another block, which is not small, as when the old block is still
/// needed as a mailbox's marker.
inline void relocate(Envelope& to, Envelope& from, const MessageType* type) noexcept {
  to.type_and_flags = from.type_and_flags & ~std::uint32_t{Envelope::small};
  to.target_generation = from.target_generation;
  to.sender = from.sender;
  to.next = nullptr;
  if (from.has(Envelope::managed) && !from.has(Envelope::outside)) {
    std::memcpy(to.bytes, from.bytes, sizeof(std::uint64_t));  // the token, if there is one
    type->table->move(to.payload(), from.payload());
    type->table->destroy(from.payload());
  } else {
    std::memcpy(to.bytes, from.bytes,
                from.has(Envelope::small) ? Envelope::small_inline_size : Envelope::inline_size);
  }
}

}  // namespace actord::message
