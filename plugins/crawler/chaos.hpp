// SPDX-License-Identifier: Apache-2.0
//
// Failures on purpose, the same ones in every run: whether an attempt fails is a function of the
// seed, the page and the number of the attempt, never of the order in which the workers happened to
// come.
#pragma once

#include <cstdint>
#include <string_view>

namespace crawler {

/// splitmix64's output function (Steele, Lea, Flood 2014): every bit of the answer depends on every
/// bit of x.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Any thread.
class Chaos {
 public:
  /// `probability` of an attempt to fail, 0 to 1.
  constexpr Chaos(double probability, std::uint64_t seed)
      : probability_(probability), seed_(seed) {}

  /// `location` is the path and query of the page, so that a site fails alike on whatever port it
  /// is served.
  [[nodiscard]] constexpr bool strikes(std::string_view location, std::uint64_t attempt) const {
    std::uint64_t state = mixed(seed_);
    for (const char c : location) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    const std::uint64_t bits = mixed(mixed(state) + attempt);
    return static_cast<double>(bits >> 11) * 0x1p-53 < probability_;
  }

 private:
  double probability_;
  std::uint64_t seed_;
};

}  // namespace crawler
