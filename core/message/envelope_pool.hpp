// SPDX-License-Identifier: Apache-2.0
//
// Where envelopes come from and go to: a depot for each size, and one thread's end of both.
#pragma once

#include "base/depot.hpp"
#include "message/envelope.hpp"

namespace actord::message {

/// Any thread.
class EnvelopeDepots {
 public:
  /// Of each size at most `reserve` bytes of addresses.
  explicit EnvelopeDepots(std::size_t reserve)
      : small_(small_envelope_size, reserve), large_(sizeof(Envelope), reserve) {}

  bool is_worth_trimming() const noexcept {
    return small_.is_worth_trimming() || large_.is_worth_trimming();
  }
  /// Gives what is free in large pieces back to the kernel; for somebody who has nothing else to
  /// do.
  void trim() {
    small_.trim();
    large_.trim();
  }

  /// What messages take up that are on their way or wait: see Depot. Any thread.
  std::size_t bytes_in_use() const noexcept {
    return small_.bytes_in_use() + large_.bytes_in_use();
  }

  /// Blocks made and not given back, and blocks lying here; for checks at rest.
  std::size_t carved() const { return small_.carved() + large_.carved(); }
  std::size_t resting() const { return small_.resting() + large_.resting(); }

 private:
  friend class EnvelopePool;
  base::Depot small_, large_;
};

/// Owner thread only.
class EnvelopePool {
 public:
  explicit EnvelopePool(EnvelopeDepots& depots) : small_(depots.small_), large_(depots.large_) {}

  Envelope* take() { return static_cast<Envelope*>(large_.take()); }
  Envelope* take_small() { return static_cast<Envelope*>(small_.take()); }
  /// Whether take_small() needs no more than a pointer's time.
  bool has_small() const noexcept { return small_.has_near(); }
  void give(Envelope* envelope) {
    if (envelope->has(Envelope::small)) small_.give(envelope);
    else large_.give(envelope);
  }
  std::size_t resting() const noexcept { return small_.resting() + large_.resting(); }

 private:
  base::Pool small_, large_;
};

}  // namespace actord::message
