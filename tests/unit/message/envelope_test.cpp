// SPDX-License-Identifier: Apache-2.0
//
// What lies in an envelope: payloads of every kind go in, move on and come to their end exactly
// once.
#include "message/envelope.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace actord::message {

TEST_SUITE_BEGIN("message/envelope");

namespace {

struct Small {
  std::int64_t number;
};
struct Full {  // all that fits without a token
  std::array<std::int64_t, 5> numbers;
};
struct Large {
  std::array<std::int64_t, 32> numbers;
};
struct alignas(32) Aligned {  // small, but not where an envelope keeps its payload
  std::int64_t number;
};

/// Counts its living objects, and owns memory for the sanitizers to miss.
template <std::size_t Padding, std::size_t Align = 8>
struct alignas(Align) Tracked {
  static inline int living = 0;
  std::string text;
  std::array<char, Padding> padding{};

  explicit Tracked(std::string text_) : text(std::move(text_)) { ++living; }
  Tracked(Tracked&& other) noexcept : text(std::move(other.text)) { ++living; }
  ~Tracked() { --living; }
};
using Text = Tracked<8>;        // 40 bytes: inline, and outside with a token
using Book = Tracked<200>;      // outside always
using Plate = Tracked<8, 128>;  // outside for its alignment
static_assert(sizeof(Text) == 40 && alignof(Plate) == 128);

template <class T>
actord_message_type table_of(std::uint32_t flags) {
  actord_message_type table{};
  table.struct_size = sizeof table;
  table.flags = flags;
  table.size = sizeof(T);
  table.align = alignof(T);
  table.move = [](void* to, void* from) { ::new (to) T(std::move(*static_cast<T*>(from))); };
  table.destroy = [](void* at) { static_cast<T*>(at)->~T(); };
  return table;
}

template <class T>
struct Kind {
  actord_message_type table = table_of<T>(std::is_trivially_copyable_v<T> ? ACTORD_TRIVIAL : 0);
  MessageType type{&table, sizeof(T), std::is_trivially_copyable_v<T>,
                   sizeof(T) <= 40 && alignof(T) <= 8, sizeof(T) <= 32 && alignof(T) <= 8};
};

constexpr TypeId some_id = 77;

template <class T>
T& payload_of(Envelope& envelope) {
  return *static_cast<T*>(envelope.payload());
}

bool is_inside(Envelope& envelope) {
  const auto* const at = static_cast<const std::byte*>(envelope.payload());
  return at >= envelope.bytes && at < envelope.bytes + Envelope::inline_size;
}

/// In, on to another block, and out; with a token and without.
template <class T>
void travel(bool fits, bool fits_with_token) {
  for (const bool has_token : {false, true}) {
    CAPTURE(has_token);
    const Kind<T> kind;
    const std::uint32_t flags = has_token ? Envelope::correlated | Envelope::ask : 0u;
    {
      T original("a text that is too long for the string itself");
      Envelope first{}, second{};
      fill(first, some_id, kind.type, &original, flags, 0x1122334455667788u);
      first.sender = 5;
      first.target_generation = 6;
      CHECK(T::living == 2);
      CHECK(is_inside(first) == (has_token ? fits_with_token : fits));
      CHECK(reinterpret_cast<std::uintptr_t>(first.payload()) % alignof(T) == 0);

      relocate(second, first, &kind.type);
      CHECK(T::living == 2);
      CHECK(second.next == nullptr);
      CHECK(second.type() == some_id);
      CHECK(second.sender == 5);
      CHECK(second.target_generation == 6);
      CHECK(second.has(Envelope::ask) == has_token);
      if (has_token) CHECK(second.token() == 0x1122334455667788u);
      CHECK(payload_of<T>(second).text == "a text that is too long for the string itself");

      clear(second, kind.type);
      CHECK(T::living == 1);
    }
    CHECK(T::living == 0);
  }
}

}  // namespace

TEST_CASE("a small trivial payload lies in the envelope, with a token and without") {
  const Kind<Small> kind;
  Small small{-7};
  Envelope envelope{};
  fill(envelope, some_id, kind.type, &small);
  CHECK(envelope.type() == some_id);
  CHECK(is_inside(envelope));
  CHECK(payload_of<Small>(envelope).number == -7);
  clear(envelope, kind.type);

  fill(envelope, some_id, kind.type, &small, Envelope::correlated | Envelope::reply, 99);
  CHECK(envelope.has(Envelope::reply));
  CHECK_FALSE(envelope.has(Envelope::ask));
  CHECK(envelope.token() == 99);
  CHECK(is_inside(envelope));
  CHECK(payload_of<Small>(envelope).number == -7);
  clear(envelope, kind.type);
}

TEST_CASE("forty bytes fill an envelope; beside a token they lie outside") {
  const Kind<Full> kind;
  Full full{{1, 2, 3, 4, 5}};
  for (const bool has_token : {false, true}) {
    CAPTURE(has_token);
    Envelope envelope{}, other{};
    fill(envelope, some_id, kind.type, &full, has_token ? Envelope::correlated : 0u, 42);
    CHECK(is_inside(envelope) == !has_token);
    CHECK(envelope.has(Envelope::outside) == has_token);
    relocate(other, envelope, &kind.type);
    CHECK(payload_of<Full>(other).numbers == full.numbers);
    if (has_token) CHECK(other.token() == 42);
    clear(other, kind.type);
  }
}

TEST_CASE("a large trivial payload lies outside and goes with its pointer") {
  const Kind<Large> kind;
  Large large{};
  large.numbers.back() = 31;
  Envelope envelope{}, other{};
  fill(envelope, some_id, kind.type, &large);
  CHECK(envelope.has(Envelope::outside));
  void* const block = envelope.payload();
  relocate(other, envelope, &kind.type);
  CHECK(other.payload() == block);
  CHECK(payload_of<Large>(other).numbers.back() == 31);
  clear(other, kind.type);
}

TEST_CASE("a payload of a stronger alignment than the envelope's lies outside, aligned") {
  const Kind<Aligned> kind;
  Aligned aligned{3};
  Envelope envelope{};
  fill(envelope, some_id, kind.type, &aligned);
  CHECK(envelope.has(Envelope::outside));
  CHECK(reinterpret_cast<std::uintptr_t>(envelope.payload()) % 32 == 0);
  CHECK(payload_of<Aligned>(envelope).number == 3);
  clear(envelope, kind.type);
}

TEST_CASE("a payload with a destructor is moved in, moved on and destroyed once") {
  SUBCASE("that fits without a token") { travel<Text>(true, false); }
  SUBCASE("that never fits") { travel<Book>(false, false); }
  SUBCASE("that is over-aligned") { travel<Plate>(false, false); }
}

TEST_CASE("an envelope without a payload is relocated whole") {
  Envelope tick{}, other{};
  tick.next = &other;
  tick.type_and_flags = Envelope::tick | Envelope::correlated;
  tick.target_generation = 3;
  tick.sender = 0;
  const std::uint64_t token = 12;
  std::memcpy(tick.bytes, &token, sizeof token);
  relocate(other, tick, nullptr);
  CHECK(other.next == nullptr);
  CHECK(other.has(Envelope::tick));
  CHECK(other.type() == 0);
  CHECK(other.token() == 12);
  CHECK(other.target_generation == 3);
}

TEST_CASE("a payload may be constructed in place") {
  const Kind<Book> kind;
  Envelope envelope{};
  ::new (prepare(envelope, some_id, kind.type)) Book("in place");
  CHECK(Book::living == 1);
  CHECK(payload_of<Book>(envelope).text == "in place");
  clear(envelope, kind.type);
  CHECK(Book::living == 0);
}

TEST_SUITE_END();

}  // namespace actord::message
