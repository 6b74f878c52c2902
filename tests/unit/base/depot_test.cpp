// SPDX-License-Identifier: Apache-2.0
//
// Blocks are neither lost nor given out twice, whichever threads take and give them.
#include "base/depot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "base/random.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/depot");

namespace {

constexpr std::size_t reserve = std::size_t{64} << 20;

}  // namespace

TEST_CASE("blocks are of their size, aligned to a cache line, and distinct") {
  Depot depot(192, reserve);
  Pool pool(depot);
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(static_cast<std::byte*>(pool.take()));
  std::ranges::sort(blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(reinterpret_cast<std::uintptr_t>(blocks[i]) % 64 == 0);
    if (i != 0) CHECK(blocks[i] - blocks[i - 1] >= 192);
    std::memset(blocks[i], 0x5a, 192);
  }
  for (std::byte* block : blocks) pool.give(block);
}

TEST_CASE("a block given back is the next one taken") {
  Depot depot(64, reserve);
  Pool pool(depot);
  void* const block = pool.take();
  pool.give(block);
  CHECK(pool.take() == block);
  pool.give(block);
}

TEST_CASE("a pool that takes and gives in turn never cuts more than it needs") {
  Depot depot(64, reserve);
  Pool pool(depot);
  for (int i = 0; i < 100'000; ++i) pool.give(pool.take());
  CHECK(depot.carved() == magazine_size);
  CHECK(depot.free_blocks() + pool.free_blocks() == depot.carved());
}

TEST_CASE("what one pool takes and another gives back goes round through the depot") {
  Depot depot(64, reserve);
  {
    Pool taker(depot), giver(depot);
    for (int round = 0; round < 100; ++round) {
      for (std::size_t i = 0; i < magazine_size; ++i) giver.give(taker.take());
    }
    CHECK(depot.carved() <= 4 * magazine_size);
    CHECK(depot.free_blocks() + taker.free_blocks() + giver.free_blocks() == depot.carved());
  }
  CHECK(depot.free_blocks() == depot.carved());
}

TEST_CASE("a pool that ends leaves its blocks to the others, part of a magazine too") {
  Depot depot(64, reserve);
  void* block;
  {
    Pool pool(depot);
    block = pool.take();
    pool.give(block);
  }
  CHECK(depot.free_blocks() == magazine_size);
  Pool next(depot);
  std::set<void*> blocks;
  for (std::size_t i = 0; i < magazine_size; ++i) blocks.insert(next.take());
  CHECK(blocks.size() == magazine_size);
  CHECK(blocks.contains(block));
  CHECK(depot.carved() == magazine_size);
  for (void* each : blocks) next.give(each);
}

TEST_CASE("beyond the small pages a trim gives back whole huge pages") {
  constexpr std::size_t size = 64, huge_page = std::size_t{2} << 20;
  Depot depot(size, reserve);
  Pool pool(depot);
  constexpr std::size_t slabs = (Arena::small_page_bytes + huge_page) / size;
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < slabs + 2 * magazine_size; ++i) blocks.push_back(pool.take());
  const auto beyond = reinterpret_cast<std::uintptr_t>(blocks[Arena::small_page_bytes / size]);
  CHECK(beyond % huge_page == 0);
  // The last blocks are given last: two magazines stay with the pool.
  for (std::size_t i = 1; i < blocks.size(); ++i) pool.give(blocks[i]);
  CHECK(depot.trim() == huge_page);
  pool.give(blocks.front());
}

TEST_CASE("a trim gives back the slabs whose blocks all rest, and those alone") {
  for (const std::size_t size : {std::size_t{32}, std::size_t{64}, std::size_t{192}}) {
    CAPTURE(size);
    Depot depot(size, reserve);
    const std::size_t n = (std::size_t{24} << 20) / size;
    std::vector<void*> blocks;
    Pool pool(depot);
    for (std::size_t i = 0; i < n; ++i) blocks.push_back(pool.take());
    for (void* block : blocks) std::memset(block, 0x5a, size);
    CHECK_FALSE(depot.is_worth_trimming());
    CHECK(depot.trim() == 0);

    void* const kept = blocks[n / 2];  // its whole slab stays
    for (void* block : blocks) {
      if (block != kept) pool.give(block);
    }
    CHECK(depot.is_worth_trimming());
    const std::size_t carved = depot.carved();
    const std::size_t given_back = depot.trim();
    CHECK(given_back >= std::size_t{18} << 20);
    CHECK(given_back <= std::size_t{22} << 20);
    CHECK(depot.carved() == carved - given_back / size);
    CHECK(depot.free_blocks() + pool.free_blocks() + 1 == depot.carved());
    CHECK_FALSE(depot.is_worth_trimming());
    CHECK(*static_cast<unsigned char*>(kept) == 0x5a);

    // The blocks that were given back are reused, each once, before new addresses are.
    std::set<void*> again{kept};
    for (std::size_t i = 0; i + 1 < n; ++i) again.insert(pool.take());
    CHECK(again.size() == n);
    CHECK(*again.rbegin() <= *std::ranges::max_element(blocks));
    CHECK(depot.carved() <= carved);
    for (void* block : again) pool.give(block);
  }
}

TEST_CASE("any order of takes and gives keeps every block in one place") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Depot depot(64, reserve);
    std::vector<void*> taken;
    {
      Pool first(depot), second(depot);
      for (int i = 0; i < 5000; ++i) {
        Pool& pool = random.chance(0.5) ? first : second;
        if (taken.empty() || random.chance(i % 1000 < 500 ? 0.7 : 0.3)) {
          taken.push_back(pool.take());
        } else {
          std::swap(taken[random.below(taken.size())], taken.back());
          pool.give(taken.back());
          taken.pop_back();
        }
      }
      CHECK(std::set<void*>(taken.begin(), taken.end()).size() == taken.size());
      CHECK(depot.free_blocks() + first.free_blocks() + second.free_blocks() + taken.size() ==
            depot.carved());
    }
    CHECK(depot.free_blocks() + taken.size() == depot.carved());
  }
}

TEST_CASE("what is in use is known to a few magazines, and what threads hold does not count") {
  Depot depot(64, reserve);
  Pool taker(depot), giver(depot);
  constexpr std::size_t wanted = 100 * magazine_size;
  std::vector<void*> taken;
  for (std::size_t i = 0; i < 2 * magazine_size; ++i) taken.push_back(taker.take());
  CHECK(depot.bytes_in_use() == 0);
  while (taken.size() < wanted) taken.push_back(taker.take());
  CHECK(depot.bytes_in_use() <= wanted * 64);
  CHECK(depot.bytes_in_use() >= (wanted - 4 * magazine_size) * 64);
  for (void* block : taken) giver.give(block);
  CHECK(depot.bytes_in_use() == 0);
  {
    Pool third(depot);
    for (void*& block : taken) block = third.take();
    for (void* block : taken) giver.give(block);
  }
  depot.trim();
  CHECK(depot.bytes_in_use() == 0);
}

TEST_CASE("threads that hand their blocks to each other lose none and share none") {
  constexpr int threads = 4;
  constexpr int rounds = 2000;
  Depot depot(64, reserve);
  std::atomic<bool> is_shared{false};
  {
    // A ring of boxes with one block each: a thread gives back the block in its own box, and puts a
    // block of its own into the next box.
    std::vector<std::atomic<std::uint64_t*>> boxes(threads);
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        Pool pool(depot);
        Random random(t);
        std::vector<std::uint64_t*> mine;
        for (int i = 0; i < rounds; ++i) {
          for (std::uint64_t n = random.below(8); n-- > 0;) {
            auto* const block = static_cast<std::uint64_t*>(pool.take());
            *block = t;  // no other thread may write this until it is handed on
            mine.push_back(block);
          }
          while (!mine.empty() && random.chance(0.8)) {
            std::uint64_t* const block = mine.back();
            mine.pop_back();
            if (*block != t) is_shared = true;
            if (auto* const given = boxes[(t + 1) % threads].exchange(block)) pool.give(given);
          }
          if (auto* const given = boxes[t].exchange(nullptr)) pool.give(given);
        }
        for (std::uint64_t* block : mine) pool.give(block);
      });
    }
    workers.clear();
    Pool pool(depot);
    for (auto& box : boxes) {
      if (std::uint64_t* const left = box.load()) pool.give(left);
    }
  }
  CHECK_FALSE(is_shared);
  CHECK(depot.free_blocks() == depot.carved());
}

TEST_SUITE_END();

}  // namespace actord::base
