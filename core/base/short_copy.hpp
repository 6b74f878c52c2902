// SPDX-License-Identifier: Apache-2.0
//
// Copies texts that are mostly short, of a length unknown to the compiler, without a call.
#pragma once

#include <cstddef>
#include <cstring>

namespace actord::base {

/// As std::memcpy. Up to 32 bytes are copied by two moves, of the first and of the last bytes,
/// which may overlap in the middle.
inline void copy_short(void* to, const void* from, std::size_t n) noexcept {
  auto* const out = static_cast<char*>(to);
  const auto* const in = static_cast<const char*>(from);
  const auto ends = [&]<std::size_t size> {
    char first[size];
    char last[size];
    std::memcpy(first, in, size);
    std::memcpy(last, in + n - size, size);
    std::memcpy(out, first, size);
    std::memcpy(out + n - size, last, size);
  };
  if (n > 32) std::memcpy(out, in, n);
  else if (n >= 16) ends.template operator()<16>();
  else if (n >= 8) ends.template operator()<8>();
  else if (n >= 4) ends.template operator()<4>();
  else if (n >= 2) ends.template operator()<2>();
  else if (n == 1) *out = *in;
}

}  // namespace actord::base
