// SPDX-License-Identifier: Apache-2.0
//
// One message on its way: 64 bytes, with the payload inside if it fits. A small envelope has only
// the first 32 of them, enough for a number or a pointer, which is what most messages carry. A
// backlog of small envelopes takes half the cache lines.
//
// An envelope is pushed into a mailbox once in its life (core/ARCHITECTURE.md, invariants): to send
// a message again, its payload is moved or copied into another envelope.
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
  static constexpr std::size_t small_inline_size = 8;  // size of `bytes` in a small envelope

  enum Flag : std::uint32_t {
    outside = 1u << 31,     // the payload lies on the heap
    correlated = 1u << 30,  // a token precedes the payload
    ask = 1u << 29,         // a question: `sender` is the ref to answer to, the token the asker
    reply = 1u << 28,       // the answer to the ask whose number is the token
    tick = 1u << 27,        // a timer of the receiver, with this token, has fired; no payload
    failure = 1u << 26,     // with reply: the payload is a pointer to a failure
    managed = 1u << 25,     // the payload is not trivial: it has to be moved and destroyed
    small = 1u << 24,       // the block has only 32 bytes, whatever it holds
    packet = 1u << 23,      // holds several messages, see packet.hpp
    traced = 1u << 22,      // holds the envelope of a message, see traced_envelope.hpp
    unstashed = 1u << 21,   // has been in the stash: a limit does not cost it
    credited = 1u << 20,    // from a router that is told when its child has handled it
    taken = 1u << 19,       // with ask: it was answered, or is up to others than the receiver
    type_mask = (1u << 19) - 1,
    further_layout = further_layouts  // one bit of the type: see TypeRegistry
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

/// Gives `to`, which must not be small, its type, flags and token. Returns where the caller has to
/// construct the payload, before it uses the envelope otherwise. Throws std::bad_alloc if the
/// payload does not fit inside.
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

/// Gives a small envelope its type, and moves the payload *from into it: at most small_inline_size
/// bytes. The caller destroys *from.
inline void fill_small(Envelope& to, TypeId id, const MessageType& type, void* from) noexcept {
  to.type_and_flags = id | Envelope::small | (type.is_trivial ? 0u : Envelope::managed);
  if (type.is_trivial) [[likely]] {
    if (type.size == 8) std::memcpy(to.bytes, from, 8);
    else std::memcpy(to.bytes, from, type.size);
  } else {
    type.table->move(to.bytes, from);
  }
}

/// Gives `to`, which must not be small, its type, flags and token, and moves the payload *from into
/// it. The caller destroys *from. Throws as prepare() does.
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

/// Destroys the payload. The caller keeps the envelope's block.
inline void clear(Envelope& envelope, const MessageType& type) noexcept {
  if (envelope.has(Envelope::managed)) type.table->destroy(envelope.payload());
  if (envelope.has(Envelope::outside)) [[unlikely]] {
    ::operator delete(envelope.payload(), std::align_val_t{type.table->align});
  }
}

/// Moves the whole content into another block, which must not be small; for example because a
/// mailbox still needs the old block as its marker.
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
