// SPDX-License-Identifier: Apache-2.0
//
// Blocks of one size, shared by all threads in magazines: arrays of pointers that a thread fills
// and empties by itself and swaps whole (Bonwick). A block has no home: whoever frees it keeps it
// for the next use.
//
// Memory goes back to the kernel by trim(), in slabs of about 2 MiB of which every block is free.
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
  /// Blocks of `block_size` bytes (a multiple of 16) out of at most `reserve` bytes of address
  /// space.
  Depot(std::size_t block_size, std::size_t reserve);

  /// Answers a magazine with blocks for one without: another one, or the same one filled.
  std::unique_ptr<Magazine> exchange_empty(std::unique_ptr<Magazine> empty) noexcept;
  std::unique_ptr<Magazine> take_empty();
  void give_full(std::unique_ptr<Magazine> full);
  void give_empty(std::unique_ptr<Magazine> empty) noexcept;

  /// Whether so much lies here that a trim() may be worth its time. Any thread.
  bool is_worth_trimming() const noexcept { return worth_.load(relaxed); }
  /// Gives the memory of slabs whose blocks all lie here back to the kernel; answers how many
  /// bytes. Some 5 ns for each block that lies here, and those are out of reach meanwhile: for
  /// somebody who has nothing else to do.
  std::size_t trim();

  std::size_t block_size() const noexcept { return block_size_; }
  /// Bytes of blocks that are in use for certain: neither lying here nor, at most, in the magazines
  /// of a thread. As of the last exchange. Any thread.
  std::size_t bytes_in_use() const noexcept { return in_use_.load(relaxed) * block_size_; }
  /// Blocks cut from the arena and not given back, and blocks lying here; for checks at rest.
  std::size_t carved() const;
  std::size_t resting() const;

 private:
  friend class Pool;

  void add_pool();
  void remove_pool();
  void carve(Magazine& magazine);
  void keep_empty(std::unique_ptr<Magazine> empty) noexcept;
  void count();
  // Slabs begin where huge pages do, of block sizes that divide one: so the first is shorter. It is
  // never given back.
  std::size_t slab_of(std::size_t block) const noexcept {
    return (block + slab_blocks_ - first_slab_blocks_) / slab_blocks_;
  }
  std::size_t start_of(std::size_t slab) const noexcept {
    return (slab - 1) * slab_blocks_ + first_slab_blocks_;
  }

  const std::size_t block_size_;
  const std::size_t first_slab_blocks_, slab_blocks_;
  Arena arena_;
  Atomic<bool> worth_{false};
  Atomic<std::size_t> in_use_{0};
  mutable Mutex mutex_;
  std::size_t carved_ = 0;
  std::size_t resting_ = 0;  // blocks in full_
  std::size_t pools_ = 0;
  std::size_t top_ = 0;                // blocks from here on were never cut
  std::size_t next_ = 0, end_ = 0;     // blocks of a slab that was given back, to be cut once more
  std::vector<std::size_t> returned_;  // the first blocks of other such slabs
  std::size_t kept_ = 0;               // magazines that lay here after the last trim
  std::vector<std::unique_ptr<Magazine>> full_, empty_;
};

/// One thread's end of a depot. Owner thread only.
class Pool {
 public:
  explicit Pool(Depot& depot) : depot_(depot), near_(depot.take_empty()), far_(depot.take_empty()) {
    depot.add_pool();
  }
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
  /// Whether the next take() will not go to the depot.
  bool has_near() const noexcept { return near_->count != 0; }
  std::size_t resting() const noexcept { return near_->count + far_->count; }

 private:
  void refill() noexcept;
  void unload();

  Depot& depot_;
  std::unique_ptr<Magazine> near_, far_;
};

}  // namespace actord::base
