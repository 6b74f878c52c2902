// SPDX-License-Identifier: Apache-2.0
//
// One message on its way: 64 bytes, the payload inside when it is small.
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

struct alignas(64) Envelope {
  static constexpr std::size_t inline_size = 40;

  enum Flag : std::uint32_t {
    outside = 1u << 31,     // the payload lies on the heap
    correlated = 1u << 30,  // a token precedes the payload
    ask = 1u << 29,         // the sender waits for an answer with this token
    reply = 1u << 28,       // the answer to the ask with this token
    tick = 1u << 27,        // a timer of the receiver with this token; no payload
    refusal = 1u << 26,     // with reply: the payload is a pointer to a failure
    type_mask = (1u << 24) - 1
  };

  Envelope* next;
  std::uint32_t type_and_flags;
  std::uint32_t target_generation;
  std::uint64_t sender;
  alignas(8) std::byte bytes[inline_size];

  TypeId type() const noexcept { return type_and_flags & type_mask; }
  bool has(Flag flag) const noexcept { return (type_and_flags & flag) != 0; }

  std::uint64_t token() const noexcept {
    std::uint64_t token;
    std::memcpy(&token, bytes, sizeof token);
    return token;
  }
  void* payload() noexcept {
    std::byte* const at = bytes + (has(correlated) ? sizeof(std::uint64_t) : 0);
    if (!has(outside)) [[likely]]
      return at;
    void* pointer;
    std::memcpy(&pointer, at, sizeof pointer);
    return pointer;
  }
};
static_assert(sizeof(Envelope) == 64, "one cache line");

/// Gives `to` the type, flags and token and answers where its payload is to be constructed. The
/// caller constructs it before anything else happens to the envelope. Throws std::bad_alloc for
/// large payloads.
inline void* prepare(Envelope& to, TypeId id, const MessageType& type, std::uint32_t flags = 0,
                     std::uint64_t token = 0) {
  const bool with_token = (flags & Envelope::correlated) != 0;
  const bool is_outside = with_token ? !type.fits_correlated : !type.fits_inline;
  to.type_and_flags = id | flags | (is_outside ? Envelope::outside : 0u);
  if (with_token) std::memcpy(to.bytes, &token, sizeof token);
  if (!is_outside) [[likely]]
    return to.payload();
  void* const block = ::operator new (type.size, std::align_val_t{type.table->align});
  std::memcpy(to.bytes + (with_token ? sizeof token : 0), &block, sizeof block);
  return block;
}

/// Moves *from into the envelope; *from stays to be destroyed by its owner.
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
  if (!type.is_trivial) type.table->destroy(envelope.payload());
  if (envelope.has(Envelope::outside)) [[unlikely]] {
    ::operator delete (envelope.payload(), std::align_val_t{type.table->align});
  }
}

/// Moves the whole content into another block, as when the old block is still needed as a mailbox's
/// marker.
inline void relocate(Envelope& to, Envelope& from, const MessageType* type) noexcept {
  if (type == nullptr || type->is_trivial || from.has(Envelope::outside)) {
    to = from;
  } else {
    to.type_and_flags = from.type_and_flags;
    to.target_generation = from.target_generation;
    to.sender = from.sender;
    std::memcpy(to.bytes, from.bytes, sizeof(std::uint64_t));  // the token, if there is one
    type->table->move(to.payload(), from.payload());
    type->table->destroy(from.payload());
  }
  to.next = nullptr;
}

}  // namespace actord::message
