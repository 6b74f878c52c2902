// SPDX-License-Identifier: Apache-2.0
//
// Time inside the runtime: int64 nanoseconds of the monotonic clock. Only sinks use wall-clock
// time.
#pragma once

#include <chrono>
#include <cstdint>

#ifdef ACTORD_SIM_POINTS
#include "base/step_sync.hpp"
#endif

namespace actord::base {

/// Nanoseconds of CLOCK_MONOTONIC. Any thread; some 20 ns.
inline std::int64_t monotonic_ns() noexcept {
#ifdef ACTORD_SIM_POINTS
  return step::now_ns();
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

inline constexpr std::int64_t ns_per_ms = 1'000'000;
inline constexpr std::int64_t ns_per_s = 1'000'000'000;

}  // namespace actord::base
