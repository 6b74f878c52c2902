// SPDX-License-Identifier: Apache-2.0
//
// A bounded ring of bytes between one writer and one reader: blocks of 8-byte granularity, each
// contiguous.
//
// It knows blocks, not records, never allocates after construction and never waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/sync.hpp"

namespace actord::log {

/// Single producer, single consumer.
///
/// Threads: reserve() and commit() by the writer; head(), peek() and release() by the reader.
/// Order:   blocks come out in the order of their commits.
/// Limits:  a block is at most a quarter of the capacity, so that padding at the end never starves
///          it.
class ByteRing {
 public:
  /// `capacity` is rounded up to a power of two, at least 1024 bytes.
  explicit ByteRing(std::size_t capacity);

  std::size_t capacity() const noexcept { return mask_ + 1; }
  std::size_t block_max() const noexcept { return capacity() / 4; }

  /// Room for one block of `size` bytes, or nullptr when the ring is full. `size` is a multiple of
  /// 8 and at most block_max(); the block's first 4 bytes must be its size (the reader steps by
  /// it).
  std::byte* reserve(std::size_t size) noexcept;
  /// Publishes the block reserved last.
  void commit() noexcept;
  /// Bytes written and not yet released, padding included; exact or too high. Writer.
  std::size_t used() noexcept;
  /// Where the next block of the writer starts. Writer.
  std::uint64_t write_position() const noexcept { return reserved_; }

  /// The end of what has been committed. Reader.
  std::uint64_t head() const noexcept { return head_.load(base::acquire); }
  /// The first block not yet released, or nullptr if there is none before `head`. Reader.
  const std::byte* peek(std::uint64_t head) noexcept;
  /// Steps over the block that peek() returned; the writer may get its room from here on or, if not
  /// `now`, with the next release. Reader.
  void release(bool now) noexcept;
  /// Gives the writer everything stepped over. Reader.
  void publish_tail() noexcept { tail_.store(read_, base::release); }
  std::uint64_t read_position() const noexcept { return read_; }
  std::size_t unpublished() const noexcept {
    return static_cast<std::size_t>(read_ - tail_.load(base::relaxed));
  }

 private:
  static constexpr std::size_t line = 64;

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t mask_;

  alignas(line) base::Atomic<std::uint64_t> head_{0};  // the writer's line
  std::uint64_t reserved_ = 0;                         // head after the commit to come
  std::uint64_t seen_tail_ = 0;                        // the reader's tail when last looked at

  alignas(line) base::Atomic<std::uint64_t> tail_{0};  // the reader's line
  std::uint64_t read_ = 0;                             // tail with what is not yet published
};

}  // namespace actord::log
