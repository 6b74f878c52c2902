// SPDX-License-Identifier: Apache-2.0
//
// Where the ring is made, and where it is begun again.
#include "log/byte_ring.hpp"

#include <bit>

namespace actord::log {
namespace {

constexpr std::size_t capacity_min = 1024;

}  // namespace

ByteRing::ByteRing(std::size_t capacity)
    : mask_(std::bit_ceil(capacity < capacity_min ? capacity_min : capacity) - 1) {
  bytes_.reset(new std::byte[mask_ + 1]);  // left untouched: pages cost nothing until they are used
}

/// Whether the block that reaches the end of a quarter goes to the start instead: if all is read.
/// Until the reader has seen the padding there is room before it alone, some quarter at least.
bool ByteRing::begins_again(std::uint64_t head, std::size_t offset, std::size_t size) noexcept {
  seen_tail_ = tail_.load(base::acquire);
  return seen_tail_ == head && offset >= size;
}

}  // namespace actord::log
