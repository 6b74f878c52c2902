// SPDX-License-Identifier: Apache-2.0
//
// The random number of a request is a hash: FNV-1a of the text, mixed by the output function of
// SplitMix64.
#include "faults.hpp"

namespace static_site {
namespace {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100'0000'01b3;
  }
  return hash;
}

std::uint64_t spread(std::uint64_t x) {
  x += 0x9e37'79b9'7f4a'7c15;
  x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
  return x ^ (x >> 31);
}

}  // namespace

FaultPlan::FaultPlan(double error_rate, double reset_rate, std::uint64_t seed)
    : error_rate_(error_rate), reset_rate_(reset_rate), seed_(seed) {}

Fault FaultPlan::fault_for(std::string_view target, std::uint32_t ask) const {
  if (error_rate_ <= 0 && reset_rate_ <= 0) return Fault::none;
  const std::uint64_t drawn = spread(spread(spread(seed_) ^ hash_of(target)) ^ ask);
  const double chance = static_cast<double>(drawn >> 11) * 0x1p-53;  // 0 <= chance < 1
  if (chance < reset_rate_) return Fault::reset;
  return chance < reset_rate_ + error_rate_ ? Fault::error : Fault::none;
}

std::uint32_t RequestCounter::next(std::string_view target) {
  const std::uint64_t key = hash_of(target);
  const auto found = asks_.find(key);
  if (found != asks_.end()) return ++found->second;
  if (asks_.size() < capacity) asks_.emplace(key, 1);
  return 1;
}

}  // namespace static_site
