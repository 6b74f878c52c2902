// SPDX-License-Identifier: Apache-2.0
//
// Faults on purpose: which requests are answered with 503 and which have their connection reset.
// How long an answer is delayed is the connection's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace static_site {

enum class Fault { none, error, reset };

/// Decides by (seed, target, how often it was asked for) alone, so that the same requests meet the
/// same faults in every run, however connections and threads interleave. Pure; any thread.
class FaultPlan {
 public:
  FaultPlan() = default;
  /// Rates are shares of all requests, 0 to 1, and at most 1 together: the caller has checked.
  FaultPlan(double error_rate, double reset_rate, std::uint64_t seed);

  /// `ask` is 1 for the first request for that target.
  Fault judge(std::string_view target, std::uint32_t ask) const;

 private:
  double error_rate_ = 0;
  double reset_rate_ = 0;
  std::uint64_t seed_ = 0;
};

/// Counts how often each target was asked for. Limits: the first `capacity` different targets are
/// counted; every request for another one is a first. Owner thread only.
class AskTally {
 public:
  static constexpr std::size_t capacity = 65'536;

  std::uint32_t next(std::string_view target);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> asks_;  // by hash of the target
};

}  // namespace static_site
