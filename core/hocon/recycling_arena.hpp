// SPDX-License-Identifier: Apache-2.0
//
// Memory for objects with one common end of life. A block that is freed earlier, such as the old
// block of a growing vector, is used again.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <new>

#include "base/assert.hpp"

namespace actord::hocon {

/// Takes blocks from large chunks and frees all of them in its destructor. A freed block is reused
/// for a request of the same size; blocks beyond `small_max` bytes go back to the heap at once.
/// One thread.
class RecyclingArena final : public std::pmr::memory_resource {
 public:
  RecyclingArena() = default;
  RecyclingArena(const RecyclingArena&) = delete;
  RecyclingArena& operator=(const RecyclingArena&) = delete;
  ~RecyclingArena() override {
    while (large_.next != &large_) free_large(large_.next);
  }

 private:
  static constexpr std::size_t grain = alignof(std::max_align_t);
  static constexpr std::size_t small_max = 1024;

  /// The content of a freed block.
  struct Free {
    Free* next;
  };
  /// The header of a block from the heap.
  struct alignas(std::max_align_t) Large {
    Large* next = this;
    Large* previous = this;
  };

  static std::size_t grains(std::size_t bytes) noexcept { return (bytes + grain - 1) / grain; }
  static bool is_small(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes <= small_max && alignment <= grain;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ACTORD_DEBUG_ASSERT(alignment <= alignof(std::max_align_t));
    if (!is_small(bytes, alignment)) return allocate_large(bytes);
    Free*& free = free_[grains(bytes)];
    if (free == nullptr) return chunks_.allocate(grains(bytes) * grain, grain);
    void* block = free;
    free = free->next;
    return block;
  }

  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    if (!is_small(bytes, alignment)) return free_large(static_cast<Large*>(block) - 1);
    if (bytes == 0) return;
    Free*& free = free_[grains(bytes)];
    free = new (block) Free{free};
  }

  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  void* allocate_large(std::size_t bytes) {
    auto* header = new (::operator new(sizeof(Large) + bytes)) Large;
    header->next = large_.next;
    header->previous = &large_;
    header->next->previous = large_.next = header;
    return header + 1;
  }
  static void free_large(Large* header) {
    header->previous->next = header->next;
    header->next->previous = header->previous;
    ::operator delete(header);
  }

  std::pmr::monotonic_buffer_resource chunks_;
  std::array<Free*, small_max / grain + 1> free_{};
  Large large_;
};

}  // namespace actord::hocon
