// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text that is easy to read aloud: Crockford's base 32, lower case, no leading zeros.
#pragma once

#include <cstdint>
#include <string>

namespace actord::base {

/// Returns how many characters it wrote, at least 1. No terminating zero.
inline std::size_t write_base32(std::uint64_t number, char (&out)[13]) noexcept {
  constexpr char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::size_t size = 1;
  for (std::uint64_t rest = number >> 5; rest != 0; rest >>= 5) ++size;
  for (std::size_t i = size; i-- > 0; number >>= 5) out[i] = digits[number & 31];
  return size;
}

inline std::string base32(std::uint64_t number) {
  char text[13];
  return {text, write_base32(number, text)};
}

}  // namespace actord::base
