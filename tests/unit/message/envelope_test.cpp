// SPDX-License-Identifier: Apache-2.0
//
// The content of envelopes: payloads of every kind are stored, moved on and destroyed exactly once.
#include "message/envelope.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "message/envelope_pool.hpp"

namespace actord::message {

TEST_SUITE_BEGIN("message/envelope");

namespace {

struct Small {
  std::int64_t number;
};
struct Full {  // the most that fits without a token
  std::array<std::int64_t, 5> numbers;
};
struct Large {
  std::array<std::int64_t, 32> numbers;
};
struct alignas(32) Aligned {  // small, but aligned more strictly than an envelope's payload
  std::int64_t number;
};

/// Counts its living objects, and owns memory, so that sanitizers see a missing destructor.
template <std::size_t Padding, std::size_t Align = 8>
struct alignas(Align) Tracked {
  static inline int living = 0;
  std::string text;
  std::array<char, Padding> padding{};

  explicit Tracked(std::string text_) : text(std::move(text_)) { ++living; }
  Tracked(Tracked&& other) noexcept : text(std::move(other.text)) { ++living; }
  ~Tracked() { --living; }
};
using Text = Tracked<8>;        // 40 bytes: inline, and outside if there is a token
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

/// A payload goes in, on to another block, and out; with a token and without.
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

namespace {

/// A small envelope with a guard behind its 32 bytes.
struct SmallBlock {
  SmallBlock() { bytes.fill(guard); }
  Envelope& envelope() { return *reinterpret_cast<Envelope*>(bytes.data()); }
  bool is_guarded() const {
    return std::all_of(bytes.begin() + small_envelope_size, bytes.end(),
                       [](std::byte b) { return b == guard; });
  }

  static constexpr std::byte guard{0xA5};
  alignas(64) std::array<std::byte, 64> bytes;
};

struct Owner {  // as small as possible, and not trivial
  static inline int living = 0;
  explicit Owner(int number_) : number(new int(number_)) { ++living; }
  Owner(Owner&& other) noexcept : number(std::exchange(other.number, nullptr)) { ++living; }
  ~Owner() {
    delete number;
    --living;
  }
  int* number;
};

}  // namespace

TEST_CASE("a number fits a small envelope, and nothing is written behind it") {
  const Kind<Small> kind;
  Small small{-7};
  SmallBlock block;
  Envelope& first = block.envelope();
  fill_small(first, some_id, kind.type, &small);
  first.sender = 5;
  first.target_generation = 6;
  first.next = nullptr;
  CHECK(first.has(Envelope::small));
  CHECK(first.type() == some_id);
  CHECK(payload_of<Small>(first).number == -7);
  CHECK(block.is_guarded());

  Envelope second{};
  relocate(second, first, &kind.type);
  CHECK_FALSE(second.has(Envelope::small));  // a property of the block, not of the message
  CHECK(second.type() == some_id);
  CHECK(second.sender == 5);
  CHECK(second.target_generation == 6);
  CHECK(payload_of<Small>(second).number == -7);
  clear(second, kind.type);
}

TEST_CASE("a small envelope's payload that owns something is moved on and destroyed once") {
  const Kind<Owner> kind;
  {
    Owner original(11);
    SmallBlock block;
    fill_small(block.envelope(), some_id, kind.type, &original);
    CHECK(block.envelope().has(Envelope::managed));
    Envelope second{};
    relocate(second, block.envelope(), &kind.type);
    CHECK(Owner::living == 2);
    CHECK(*payload_of<Owner>(second).number == 11);
    clear(second, kind.type);
    CHECK(Owner::living == 1);
    CHECK(block.is_guarded());
  }
  CHECK(Owner::living == 0);
}

TEST_CASE("blocks of both sizes go back to where they came from") {
  EnvelopeDepots depots(std::size_t{64} << 20);
  {
    EnvelopePool pool(depots);
    const Kind<Small> kind;
    Small small{1};
    std::vector<Envelope*> all;
    for (int i = 0; i < 1'000; ++i) {
      Envelope* const envelope = i % 3 == 0 ? pool.take() : pool.take_small();
      if (i % 3 == 0) fill(*envelope, some_id, kind.type, &small);
      else fill_small(*envelope, some_id, kind.type, &small);
      all.push_back(envelope);
    }
    CHECK(std::ranges::all_of(all, [](Envelope* e) { return payload_of<Small>(*e).number == 1; }));
    const std::size_t carved = depots.carved();
    for (Envelope* const envelope : all) pool.give(envelope);
    for (int i = 0; i < 1'000; ++i) {  // repeating it needs no new block of either size
      Envelope* const envelope = i % 3 == 0 ? pool.take() : pool.take_small();
      envelope->type_and_flags = some_id | (i % 3 == 0 ? 0u : Envelope::small);
      all[static_cast<std::size_t>(i)] = envelope;
    }
    CHECK(depots.carved() == carved);
    for (Envelope* const envelope : all) pool.give(envelope);
  }
  CHECK(depots.free_blocks() == depots.carved());
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
