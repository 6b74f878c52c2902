// SPDX-License-Identifier: Apache-2.0
//
// A bounded ring of bytes between one writer and one reader. It holds blocks, each contiguous and a
// multiple of 8 bytes long.
//
// Positions only grow and are masked on use. A block that would cross the end of the ring goes to
// its start; padding fills the gap, itself a block, marked by the top bit of its size. The ring
// knows blocks, not records; it never allocates after construction and never waits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/assert.hpp"
#include "base/sync.hpp"

namespace actord::log {

/// Single producer, single consumer.
///
/// Threads: reserve() and commit() by the writer; head(), peek() and release() by the reader.
/// Order:   blocks come out in the order of their commits.
/// Limits:  a block is at most a quarter of the capacity, so that padding at the end never takes
///          its room.
class ByteRing {
 public:
  /// `capacity` is rounded up to a power of two, at least 1024 bytes. While the reader keeps up,
  /// only the first quarter is used; the other pages cost no memory before a burst.
  explicit ByteRing(std::size_t capacity);

  std::size_t capacity() const noexcept { return mask_ + 1; }
  std::size_t block_max() const noexcept { return capacity() / 4; }

  /// Room for one block of `size` bytes, or nullptr when the ring is full. `size` is a multiple of
  /// 8 and at most block_max(). The first 4 bytes of the block must be its size, because the reader
  /// steps by it.
  std::byte* reserve(std::size_t size) noexcept {
    ACTORD_DEBUG_ASSERT(size % 8 == 0 && size <= block_max());
    const std::uint64_t head = head_.load(base::relaxed);
    const std::size_t offset = head & mask_;
    const std::size_t to_end = capacity() - offset;
    std::size_t padding = size > to_end ? to_end : 0;
    if (((offset ^ (offset + size)) & quarter_bits()) != 0 && wraps_early(head, offset, size)) {
      padding = to_end;
      wrapped_at_ = head + padding;
    }
    if (head + padding + size - seen_tail_ > capacity()) {
      // acquire: pairs with the release of the tail; the reader no longer reads those bytes.
      seen_tail_ = tail_.load(base::acquire);
      if (head + padding + size - seen_tail_ > capacity()) return nullptr;
    }
    if (padding != 0) {
      const std::uint32_t marked = static_cast<std::uint32_t>(padding) | padding_bit;
      std::memcpy(bytes_.get() + offset, &marked, sizeof marked);
    }
    reserved_ = head + padding + size;
    return bytes_.get() + ((head + padding) & mask_);
  }
  /// Publishes the block reserved last.
  void commit() noexcept {
    // release: pairs with the acquire in head(); makes the block's bytes visible to the reader.
    head_.store(reserved_, base::release);
  }
  /// Bytes written and not yet released; exact or too high. Writer.
  std::size_t used() noexcept {
    seen_tail_ = tail_.load(base::acquire);
    return static_cast<std::size_t>(head_.load(base::relaxed) - std::max(seen_tail_, wrapped_at_));
  }
  /// The position at which the next block starts. Writer.
  std::uint64_t write_position() const noexcept { return reserved_; }

  /// The end of what has been committed. Reader.
  std::uint64_t head() const noexcept { return head_.load(base::acquire); }
  /// The first block not yet released, or nullptr if there is none before `head`. Reader.
  const std::byte* peek(std::uint64_t head) noexcept {
    while (read_ != head) {
      const std::byte* block = bytes_.get() + (read_ & mask_);
      const std::uint32_t size = size_at(block);
      if ((size & padding_bit) == 0) return block;
      read_ += size & ~padding_bit;
    }
    return nullptr;
  }
  /// Removes the block that peek() returned. If `now`, the writer may reuse its room at once, else
  /// after the next publish_tail(). Reader.
  void release(bool now) noexcept {
    read_ += size_at(bytes_.get() + (read_ & mask_));
    if (now) publish_tail();
  }
  /// Lets the writer reuse the room of all released blocks. Reader.
  void publish_tail() noexcept { tail_.store(read_, base::release); }
  std::uint64_t read_position() const noexcept { return read_; }
  std::size_t unpublished() const noexcept {
    return static_cast<std::size_t>(read_ - tail_.load(base::relaxed));
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::uint32_t padding_bit = 0x8000'0000U;

  static std::uint32_t size_at(const std::byte* block) noexcept {
    std::uint32_t size = 0;
    std::memcpy(&size, block, sizeof size);
    return size;
  }
  /// The bits of an offset that change when it passes the end of a quarter.
  std::size_t quarter_bits() const noexcept { return (mask_ + 1) / 4 * 3; }
  bool wraps_early(std::uint64_t head, std::size_t offset, std::size_t size) noexcept;

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t mask_;

  // The release of `head_` in commit() pairs with the acquire in head(): the reader sees the bytes
  // of the block. The release of `tail_` in publish_tail() pairs with the acquire in reserve(),
  // used() and wraps_early(), all of which set `seen_tail_`: the reader no longer reads the bytes
  // that the writer may overwrite from then on.
  alignas(line) base::Atomic<std::uint64_t> head_{0};  // the writer's line
  std::uint64_t reserved_ = 0;                         // head after the next commit
  std::uint64_t seen_tail_ = 0;                        // the reader's tail when last read
  std::uint64_t wrapped_at_ = 0;  // the last early wrap; all before it is read or padding

  alignas(line) base::Atomic<std::uint64_t> tail_{0};  // the reader's line
  std::uint64_t read_ = 0;  // the end of the released blocks, published or not
};

}  // namespace actord::log
