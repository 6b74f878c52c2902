// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of delays that grow and have a random part. No result overflows.
#pragma once

#include <actord/context.hpp>
#include <actord/duration_math.hpp>

namespace actord::detail {

/// A random number, uniform in [0, 1).
inline double random_unit(Context& ctx) {
  return static_cast<double>(ctx.random() >> 11) * 0x1.0p-53;
}

}  // namespace actord::detail
