// SPDX-License-Identifier: Apache-2.0
//
// Small blocks of several sizes: what fits where, and that all blocks come back.
#include "base/block_pool.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace actord::base {

TEST_SUITE_BEGIN("base/block_pool");

TEST_CASE("a shape is of the smallest size that holds it, or of the heap") {
  CHECK(BlockShape(257, 8).slot == block_sizes.size());
  CHECK(BlockShape(8, 64).slot == block_sizes.size());
#ifndef __SANITIZE_ADDRESS__
  CHECK(BlockShape(0, 1).slot == 0);
  CHECK(BlockShape(32, 8).slot == 0);
  CHECK(BlockShape(33, 8).slot == 1);
  CHECK(BlockShape(256, 32).slot == block_sizes.size() - 1);
#endif
}

TEST_CASE("blocks are apart, aligned, and as large as they were asked for") {
  BlockDepots depots(std::size_t{64} << 20);
  BlockPool pool(depots);
  for (const auto& [size, align] : {std::pair{std::size_t{1}, std::size_t{1}},
                                    {24, 8},
                                    {40, 16},
                                    {100, 32},
                                    {256, 8},
                                    {1000, 64}}) {
    const BlockShape shape(size, align);
    std::vector<void*> taken;
    for (int i = 0; i < 300; ++i) {
      void* const block = taken.emplace_back(pool.take(shape));
      CHECK(reinterpret_cast<std::uintptr_t>(block) % align == 0);
      std::memset(block, i, size);
    }
    CHECK(std::set<void*>(taken.begin(), taken.end()).size() == taken.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto* const bytes = static_cast<const unsigned char*>(taken[i]);
      CHECK(bytes[0] == static_cast<unsigned char>(i));
      CHECK(bytes[size - 1] == static_cast<unsigned char>(i));
    }
    for (void* const block : taken) pool.give(block, shape);
  }
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("what is given back is used again, by another thread's pool too") {
  BlockDepots depots(std::size_t{64} << 20);
  const BlockShape shape(48, 8);
  std::set<void*> blocks;
  {
    BlockPool one(depots), other(depots);
    for (std::size_t i = 0; i < 8 * magazine_size; ++i) blocks.insert(one.take(shape));
    for (void* const block : blocks) other.give(block, shape);
  }
  BlockPool third(depots);
  for (std::size_t i = 0; i < 8 * magazine_size; ++i) CHECK(blocks.contains(third.take(shape)));
}
#endif

TEST_SUITE_END();

}  // namespace actord::base
