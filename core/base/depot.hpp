// SPDX-License-Identifier: Apache-2.0
//
// An allocator for blocks of one size (Bonwick). Free blocks lie in magazines, arrays of pointers.
// Each thread takes and gives blocks through two magazines of its own (Pool) and exchanges whole
// magazines with the depot, which all threads share. A block belongs to no thread: the thread that
// frees it uses it again.
//
// trim() gives memory back to the kernel, in slabs of about 2 MiB of which every block is free.
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
inline constexpr std::size_t magazine_size = 4;  // small, so that simulations see many exchanges
#else
inline constexpr std::size_t magazine_size = 128;
#endif

struct Magazine {
  std::size_t count = 0;
  std::array<void*, magazine_size> blocks;
};

/// The magazines that no thread holds. Any thread. A pool locks it at most twice per 128 calls.
class Depot {
 public:
  /// Blocks of `block_size` bytes (a multiple of 16), from at most `reserve` bytes of addresses.
  Depot(std::size_t block_size, std::size_t reserve);

  /// Takes an empty magazine and returns one with blocks: another one, or the same one filled.
  /// Asserts if the addresses are used up.
  std::unique_ptr<Magazine> exchange_empty(std::unique_ptr<Magazine> empty) noexcept;
  std::unique_ptr<Magazine> take_empty();
  void give_full(std::unique_ptr<Magazine> full);
  void give_empty(std::unique_ptr<Magazine> empty) noexcept;

  /// Whether enough blocks have come back since the last trim() for another one to be worth its
  /// time. Any thread.
  bool is_worth_trimming() const noexcept { return is_worth_trimming_.load(relaxed); }
  /// Gives the memory of slabs whose blocks all lie in the depot back to the kernel; returns how
  /// many bytes. It takes some 5 ns for each block in the depot, and no thread can get these blocks
  /// meanwhile. For an idle thread, and one at a time.
  std::size_t trim();

  std::size_t block_size() const noexcept { return block_size_; }
  /// A lower bound on the bytes in use: the carved blocks less those in the depot and less the most
  /// that the pools can hold. As of the last exchange. Any thread.
  std::size_t bytes_in_use() const noexcept { return in_use_.load(relaxed) * block_size_; }
  /// carved(): blocks taken from the arena and not given back to the kernel. free_blocks(): blocks
  /// in the depot. For checks while no thread uses it.
  std::size_t carved() const;
  std::size_t free_blocks() const;

 private:
  friend class Pool;

  void add_pool();
  void remove_pool();
  void carve(Magazine& magazine);
  void store_empty(std::unique_ptr<Magazine> empty) noexcept;
  void update_in_use();
  // Slab of a block, and first block of a slab. Slabs begin at huge pages if the block size divides
  // those. So slab 0 is shorter: it has the small pages and is never given back.
  std::size_t slab_of(std::size_t block) const noexcept {
    return (block + slab_blocks_ - first_slab_blocks_) / slab_blocks_;
  }
  std::size_t start_of(std::size_t slab) const noexcept {
    return (slab - 1) * slab_blocks_ + first_slab_blocks_;
  }

  const std::size_t block_size_;
  const std::size_t first_slab_blocks_, slab_blocks_;
  Arena arena_;
  Atomic<bool> is_worth_trimming_{false};
  Atomic<std::size_t> in_use_{0};
  mutable Mutex mutex_;
  std::size_t carved_ = 0;
  std::size_t free_blocks_ = 0;  // blocks in full_
  std::size_t pools_ = 0;
  std::size_t top_ = 0;             // the first block that was never carved
  std::size_t next_ = 0, end_ = 0;  // blocks of a slab that was given back and is carved again
  std::vector<std::size_t> decommitted_;  // the first blocks of further slabs that were given back
  std::size_t left_by_trim_ = 0;  // full magazines left by the last trim and not taken since
  std::vector<std::unique_ptr<Magazine>> full_, empty_;
};

/// One thread's two magazines of a depot. Owner thread only.
class Pool {
 public:
  explicit Pool(Depot& depot)
      : depot_(depot), loaded_(depot.take_empty()), previous_(depot.take_empty()) {
    depot.add_pool();
  }
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Asserts if the depot's addresses are used up.
  void* take() {
    if (loaded_->count == 0) [[unlikely]]
      refill();
    return loaded_->blocks[--loaded_->count];
  }
  /// May throw std::bad_alloc.
  void give(void* block) {
    if (loaded_->count == magazine_size) [[unlikely]]
      unload();
    loaded_->blocks[loaded_->count++] = block;
  }
  /// Whether the next take() needs the loaded magazine only.
  bool has_loaded() const noexcept { return loaded_->count != 0; }
  std::size_t free_blocks() const noexcept { return loaded_->count + previous_->count; }

 private:
  void refill() noexcept;
  void unload();

  Depot& depot_;
  std::unique_ptr<Magazine> loaded_, previous_;
};

}  // namespace actord::base
