// SPDX-License-Identifier: Apache-2.0
//
// Blocks of memory of several sizes: a depot for each size, and for each thread a pool of every
// size. Larger blocks come from the heap.
#pragma once

#include <array>
#include <new>
#include <optional>

#include "base/depot.hpp"

namespace actord::base {

/// The sizes of pooled blocks in bytes, ascending, and the alignment of all of them.
inline constexpr std::array<std::size_t, 6> block_sizes{32, 64, 96, 128, 192, 256};
inline constexpr std::size_t block_alignment = 32;

/// Size and alignment that a block is wanted for. It is given back with an equal shape.
struct BlockShape {
  constexpr BlockShape(std::size_t size_, std::size_t align_) noexcept
      : size(size_), align(align_), slot(slot_for(size_, align_)) {}

  std::size_t size, align;
  std::size_t slot;  // index in block_sizes; block_sizes.size(): from the heap

 private:
  static constexpr std::size_t slot_for(std::size_t size, std::size_t align) noexcept {
#ifdef __SANITIZE_ADDRESS__
    // Every block from the heap, so that the sanitizer sees accesses beyond its end.
    return static_cast<void>(size), static_cast<void>(align), block_sizes.size();
#else
    if (align > block_alignment) return block_sizes.size();
    std::size_t slot = 0;
    while (slot < block_sizes.size() && block_sizes[slot] < size) ++slot;
    return slot;
#endif
  }
};

template <class T>
inline constexpr BlockShape block_of{sizeof(T), alignof(T)};

/// The depots that the BlockPools of all threads share.
class BlockDepots {
 public:
  /// Reserves at most `reserve` bytes of addresses for each size.
  explicit BlockDepots(std::size_t reserve) {
    for (std::size_t i = 0; i < block_sizes.size(); ++i)
      depots_[i].emplace(block_sizes[i], reserve);
  }

 private:
  friend class BlockPool;
  std::array<std::optional<Depot>, block_sizes.size()> depots_;
};

/// One thread's access to the depots. Owner thread only. A block may be given back to the pool of
/// another thread.
class BlockPool {
 public:
  explicit BlockPool(BlockDepots& depots) {
    for (std::size_t i = 0; i < block_sizes.size(); ++i) pools_[i].emplace(*depots.depots_[i]);
  }

  /// Throws std::bad_alloc for a block from the heap only.
  void* take(const BlockShape& shape) {
    if (shape.slot < block_sizes.size()) [[likely]]
      return pools_[shape.slot]->take();
    return ::operator new(shape.size, std::align_val_t{shape.align});
  }
  void give(void* block, const BlockShape& shape) {
    if (shape.slot < block_sizes.size()) [[likely]]
      return pools_[shape.slot]->give(block);
    ::operator delete(block, std::align_val_t{shape.align});
  }

 private:
  std::array<std::optional<Pool>, block_sizes.size()> pools_;
};

}  // namespace actord::base
