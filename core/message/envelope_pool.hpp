// SPDX-License-Identifier: Apache-2.0
//
// The allocator of envelopes: a depot for each of the two sizes, and a pool of both per thread.
#pragma once

#include "base/depot.hpp"
#include "message/envelope.hpp"

namespace actord::message {

/// The depots that the EnvelopePools of all threads share. Any thread.
class EnvelopeDepots {
 public:
  /// Reserves at most `reserve` bytes of addresses for each size.
  explicit EnvelopeDepots(std::size_t reserve)
      : small_(small_envelope_size, reserve), large_(sizeof(Envelope), reserve) {}

  bool is_worth_trimming() const noexcept {
    return small_.is_worth_trimming() || large_.is_worth_trimming();
  }
  /// Gives free slabs back to the kernel. An idle thread calls it, see Depot::trim().
  void trim() {
    small_.trim();
    large_.trim();
  }

  /// A lower bound on the bytes of envelopes in use, see Depot::bytes_in_use(). Any thread.
  std::size_t bytes_in_use() const noexcept {
    return small_.bytes_in_use() + large_.bytes_in_use();
  }

  /// Sums over both depots, see Depot; for checks while no thread uses them.
  std::size_t carved() const { return small_.carved() + large_.carved(); }
  std::size_t free_blocks() const { return small_.free_blocks() + large_.free_blocks(); }

 private:
  friend class EnvelopePool;
  base::Depot small_, large_;
};

/// One thread's access to the depots. Owner thread only.
class EnvelopePool {
 public:
  explicit EnvelopePool(EnvelopeDepots& depots) : small_(depots.small_), large_(depots.large_) {}

  Envelope* take() { return static_cast<Envelope*>(large_.take()); }
  Envelope* take_small() { return static_cast<Envelope*>(small_.take()); }
  /// Whether the next take_small() needs neither the depot nor a change of magazines.
  bool has_small() const noexcept { return small_.has_loaded(); }
  void give(Envelope* envelope) {
    if (envelope->has(Envelope::small)) small_.give(envelope);
    else large_.give(envelope);
  }
  std::size_t free_blocks() const noexcept { return small_.free_blocks() + large_.free_blocks(); }

 private:
  base::Pool small_, large_;
};

}  // namespace actord::message
