// SPDX-License-Identifier: Apache-2.0
//
// The constructor of the ring, and the slow path of reserve().
#include "log/byte_ring.hpp"

#include <bit>

namespace actord::log {
namespace {

constexpr std::size_t capacity_min = 1024;

}  // namespace

ByteRing::ByteRing(std::size_t capacity)
    : mask_(std::bit_ceil(capacity < capacity_min ? capacity_min : capacity) - 1) {
  // The bytes stay uninitialised, so that pages cost nothing until they are used.
  bytes_.reset(new std::byte[mask_ + 1]);
}

/// Whether a block that would pass the end of a quarter goes to the start of the ring instead: it
/// does if the reader has read everything. Until the reader has passed the padding, the writer has
/// only the `offset` bytes before it, so the block must fit there.
bool ByteRing::wraps_early(std::uint64_t head, std::size_t offset, std::size_t size) noexcept {
  seen_tail_ = tail_.load(base::acquire);
  return seen_tail_ == head && offset >= size;
}

}  // namespace actord::log
