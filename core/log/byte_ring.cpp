// SPDX-License-Identifier: Apache-2.0
//
// The ring of bytes. Positions count up for ever and are masked on use; a block that would cross
// the end is preceded by padding, a block whose size carries the top bit.
#include "log/byte_ring.hpp"

#include <bit>
#include <cstring>

#include "base/assert.hpp"

namespace actord::log {
namespace {

constexpr std::uint32_t padding_bit = 0x8000'0000U;
constexpr std::size_t capacity_min = 1024;

std::uint32_t size_at(const std::byte* block) noexcept {
  std::uint32_t size = 0;
  std::memcpy(&size, block, sizeof size);
  return size;
}

}  // namespace

ByteRing::ByteRing(std::size_t capacity)
    : mask_(std::bit_ceil(capacity < capacity_min ? capacity_min : capacity) - 1) {
  bytes_.reset(new std::byte[mask_ + 1]);  // left untouched: pages cost nothing until they are used
}

std::byte* ByteRing::reserve(std::size_t size) noexcept {
  ACTORD_DEBUG_ASSERT(size % 8 == 0 && size <= block_max());
  const std::uint64_t head = head_.load(base::relaxed);
  const std::size_t offset = head & mask_;
  const std::size_t to_end = capacity() - offset;
  const std::size_t padding = size > to_end ? to_end : 0;
  if (head + padding + size - seen_tail_ > capacity()) {
    // acquire: pairs with the release of the tail; the reader is done with those bytes.
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

void ByteRing::commit() noexcept {
  // release: pairs with the acquire in head(); makes the block's bytes visible to the reader.
  head_.store(reserved_, base::release);
}

std::size_t ByteRing::used() noexcept {
  seen_tail_ = tail_.load(base::acquire);
  return static_cast<std::size_t>(head_.load(base::relaxed) - seen_tail_);
}

const std::byte* ByteRing::peek(std::uint64_t head) noexcept {
  while (read_ != head) {
    const std::byte* block = bytes_.get() + (read_ & mask_);
    const std::uint32_t size = size_at(block);
    if ((size & padding_bit) == 0) return block;
    read_ += size & ~padding_bit;
  }
  return nullptr;
}

void ByteRing::release(bool now) noexcept {
  read_ += size_at(bytes_.get() + (read_ & mask_));
  if (now) publish_tail();
}

}  // namespace actord::log
