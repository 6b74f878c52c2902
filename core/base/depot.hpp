// SPDX-License-Identifier: Apache-2.0
//
// Blocks of one size, shared by all threads in magazines: arrays of pointers that a thread fills
// and empties by itself and swaps whole (Bonwick). A block has no home: whoever frees it keeps it
// for the next use.
//
// Not here: when memory goes back to the kernel. It does so when the depot is destroyed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/arena.hpp"
#include "base/assert.hpp"
#include "base/sync.hpp"

namespace actord::base {

#ifdef ACTORD_SIM_POINTS
inline constexpr std::size_t magazine_size = 4;  // so that few operations see many exchanges
#else
inline constexpr std::size_t magazine_size = 128;
#endif

struct Magazine {
  std::size_t count = 0;
  std::array<void*, magazine_size> blocks;
};

/// Where magazines are exchanged. Any thread; one lock per 128 allocations at most.
class Depot {
 public:
  /// Blocks of `block_size` bytes (a multiple of 64) out of at most `reserve` bytes of address
  /// space.
  Depot(std::size_t block_size, std::size_t reserve);

  std::unique_ptr<Magazine> take_full();
  std::unique_ptr<Magazine> take_empty();
  void give_full(std::unique_ptr<Magazine> full);
  void give_empty(std::unique_ptr<Magazine> empty);

  std::size_t block_size() const noexcept { return block_size_; }
  /// Blocks ever cut from the arena, and blocks lying here; for checks at rest.
  std::size_t carved() const;
  std::size_t resting() const;

 private:
  const std::size_t block_size_;
  Arena arena_;
  mutable Mutex mutex_;
  std::size_t carved_ = 0;
  std::vector<std::unique_ptr<Magazine>> full_, empty_;
};

/// One thread's end of a depot. Owner thread only.
class Pool {
 public:
  explicit Pool(Depot& depot)
      : depot_(depot), near_(depot.take_empty()), far_(depot.take_empty()) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* take() {
    if (near_->count == 0) [[unlikely]]
      refill();
    return near_->blocks[--near_->count];
  }
  void give(void* block) {
    if (near_->count == magazine_size) [[unlikely]]
      unload();
    near_->blocks[near_->count++] = block;
  }
  std::size_t resting() const noexcept { return near_->count + far_->count; }

 private:
  void refill();
  void unload();

  Depot& depot_;
  std::unique_ptr<Magazine> near_, far_;
};

}  // namespace actord::base
