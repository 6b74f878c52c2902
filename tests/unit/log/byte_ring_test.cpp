// SPDX-License-Identifier: Apache-2.0
//
// The ring of bytes: what is written is read, wherever the ring wraps.
#include <doctest/doctest.h>

#include <cstring>
#include <deque>

#include "log/byte_ring.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/byte_ring");

namespace {

constexpr std::size_t capacity = 1024;

/// A ring with both its ends, and a model of its content.
struct Ends {
  ByteRing ring{capacity};
  std::deque<std::uint32_t> sizes;  // of the blocks in it, each filled with its size's low byte
  const std::byte* last = nullptr;  // where the last block went

  bool write(std::uint32_t size) {
    std::byte* const block = ring.reserve(size);
    if (block == nullptr) return false;
    std::memset(block, static_cast<int>(size & 0xFFU), size);
    std::memcpy(block, &size, sizeof size);
    ring.commit();
    last = block;
    sizes.push_back(size);
    return true;
  }
  void read_all() {
    while (const std::byte* const block = ring.peek(ring.head())) {
      std::uint32_t size = 0;
      std::memcpy(&size, block, sizeof size);
      REQUIRE(!sizes.empty());
      REQUIRE(size == sizes.front());
      CHECK(block[size - 1] == static_cast<std::byte>(size & 0xFFU));
      sizes.pop_front();
      ring.release(true);
    }
    CHECK(sizes.empty());
  }
};

}  // namespace

TEST_CASE("a ring that is read at once never leaves its first quarter") {
  Ends ends;
  REQUIRE(ends.write(40));
  const std::byte* const first = ends.last;
  ends.read_all();
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(ends.write(static_cast<std::uint32_t>(8 + i % 7 * 8)));
    CHECK(ends.last >= first);
    CHECK(ends.last < first + capacity / 4);
    CHECK(ends.ring.used() <= 56);
    ends.read_all();
  }
}

TEST_CASE("a ring that was begun again holds a quarter before it is read, and then all of it") {
  Ends ends;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(ends.write(80));
    ends.read_all();
  }
  std::size_t held = 0;
  while (ends.write(32)) held += 32;
  CHECK(held >= capacity / 4 - 32);
  ends.read_all();
  REQUIRE(ends.write(32));
  ends.read_all();
  held = 0;
  while (ends.write(32)) held += 32;
  CHECK(held == capacity);
  ends.read_all();
}

TEST_CASE("blocks of all sizes come out as they went in, however far the reader is behind") {
  Ends ends;
  std::uint32_t state = 1;
  for (int round = 0; round < 5000; ++round) {
    state = state * 1664525 + 1013904223;
    const std::uint32_t size = 8 * (1 + (state >> 16U) % (capacity / 4 / 8));
    if (!ends.write(size)) {
      CHECK(!ends.sizes.empty());
      ends.read_all();
      REQUIRE(ends.write(size));
    }
    if (state >> 30U == 0) ends.read_all();
  }
  ends.read_all();
}

TEST_SUITE_END();

}  // namespace actord::log
