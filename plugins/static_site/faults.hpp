// SPDX-License-Identifier: Apache-2.0
//
// Faults on purpose: decides which requests are answered with 503, and on which the connection is
// reset. Not here: the delay of answers (connection.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace static_site {

/// The fault for one request.
enum class Fault { none, error, reset };

/// Decides by the seed, the target and the number of requests for the target alone, so that the
/// same requests get the same faults in every run. It has no state that changes; any thread.
class FaultPlan {
 public:
  FaultPlan() = default;
  /// Rates are shares of all requests, 0 to 1, and at most 1 together. The caller checks that.
  FaultPlan(double error_rate, double reset_rate, std::uint64_t seed);

  /// The fault for a request. `ask` is 1 for the first request for that target.
  Fault fault_for(std::string_view target, std::uint32_t ask) const;

 private:
  double error_rate_ = 0;
  double reset_rate_ = 0;
  std::uint64_t seed_ = 0;
};

/// Counts the requests for each target. It counts the first `capacity` different targets; every
/// request for another target counts as its first. Owner thread only.
class RequestCounter {
 public:
  static constexpr std::size_t capacity = 65'536;

  /// The number of this request for the target, from 1.
  std::uint32_t next(std::string_view target);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> asks_;  // by the hash of the target
};

}  // namespace static_site
