// SPDX-License-Identifier: Apache-2.0
//
// Sums and multiples of durations. No result overflows.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace actord::detail {

/// `duration` times `factor`, both at least 0; the longest duration if it is longer than that.
inline std::chrono::nanoseconds scaled(std::chrono::nanoseconds duration, double factor) {
  const double product = static_cast<double>(duration.count()) * factor;
  if (!(product < static_cast<double>(std::numeric_limits<std::int64_t>::max())))
    return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds{static_cast<std::int64_t>(product)};
}

/// The sum of a time or duration and a duration of at least 0; the longest duration if it is longer
/// than that.
inline std::chrono::nanoseconds sum(std::chrono::nanoseconds a, std::chrono::nanoseconds b) {
  return a > std::chrono::nanoseconds::max() - b ? std::chrono::nanoseconds::max() : a + b;
}

}  // namespace actord::detail
