// SPDX-License-Identifier: Apache-2.0
//
// What the unreliable network does to a packet. It is a function of the seed, the packet and the
// number of the attempt alone, so that every run loses the same packets, in any order.
#pragma once

#include <cstdint>

namespace reliable_network {

/// What happens to one attempt.
enum class PacketFate {
  through,      // arrives once
  lost,         // never arrives
  answer_lost,  // arrives, but its receipt is lost
  doubled,      // arrives twice
};

/// Shares of all attempts, each 0 to 1 and at most 1 together. The caller checks that.
struct FateShares {
  double loss = 0;
  double answer_loss = 0;
  double duplicate = 0;
};

/// Decides what happens to each attempt. It has no state that changes; any thread.
class FatePlan {
 public:
  constexpr FatePlan(FateShares shares, std::uint64_t seed) : shares_(shares), seed_(seed) {}

  [[nodiscard]] constexpr PacketFate fate_of(std::uint64_t sender, std::uint64_t number,
                                             std::uint64_t attempt) const {
    const std::uint64_t bits = mixed(mixed(mixed(mixed(seed_) + sender) + number) + attempt);
    double left = static_cast<double>(bits >> 11) * 0x1p-53;
    if (left < shares_.loss) return PacketFate::lost;
    left -= shares_.loss;
    if (left < shares_.answer_loss) return PacketFate::answer_lost;
    left -= shares_.answer_loss;
    return left < shares_.duplicate ? PacketFate::doubled : PacketFate::through;
  }

 private:
  /// The output function of splitmix64 (Steele, Lea, Flood 2014).
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  FateShares shares_;
  std::uint64_t seed_;
};

}  // namespace reliable_network
