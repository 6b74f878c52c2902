// SPDX-License-Identifier: Apache-2.0
//
// What the unreliable network does to a packet: a function of the seed, the packet and the number
// of the attempt alone, so that every run loses the same ones, in whatever order they come.
#pragma once

#include <cstdint>

namespace reliable_network {

enum class PacketFate {
  through,
  lost,         // never arrives
  answer_lost,  // arrives, and nobody hears of it
  doubled,      // arrives twice
};

/// Shares of all attempts, each 0 to 1 and at most 1 together: the caller has checked.
struct FateShares {
  double loss = 0;
  double answer_loss = 0;
  double duplicate = 0;
};

/// Pure; any thread.
class FatePlan {
 public:
  constexpr FatePlan(FateShares shares, std::uint64_t seed) : shares_(shares), seed_(seed) {}

  [[nodiscard]] constexpr PacketFate judge(std::uint64_t sender, std::uint64_t number,
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
  /// splitmix64's output function (Steele, Lea, Flood 2014).
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
