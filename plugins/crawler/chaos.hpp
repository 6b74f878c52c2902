// SPDX-License-Identifier: Apache-2.0
//
// Failures on purpose. Whether an attempt fails is a function of the seed, the page and the number
// of the attempt. It does not depend on the order in which workers run, so that all runs are alike.
#pragma once

#include <cstdint>
#include <string_view>

namespace crawler {

/// The output function of splitmix64 (Steele, Lea, Flood 2014): every bit of the result depends on
/// every bit of x.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Decides which attempts fail. Any thread.
class Chaos {
 public:
  /// `probability` is the share of attempts that fail, 0 to 1.
  constexpr Chaos(double probability, std::uint64_t seed)
      : probability_(probability), seed_(seed) {}

  /// Whether this attempt fails. `location` is the path and query of the page: a site fails alike
  /// on any port.
  [[nodiscard]] constexpr bool fails(std::string_view location, std::uint64_t attempt) const {
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
