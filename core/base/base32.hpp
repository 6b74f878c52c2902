// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people read them aloud: Crockford's base 32, lower case, without leading zeros.
#pragma once

#include <cstdint>
#include <string>

namespace actord::base {

inline void append_base32(std::string& out, std::uint64_t number) {
  constexpr char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
  char text[13];
  int n = 0;
  do text[n++] = digits[number & 31];
  while ((number >>= 5) != 0);
  while (n > 0) out += text[--n];
}

inline std::string base32(std::uint64_t number) {
  std::string text;
  append_base32(text, number);
  return text;
}

}  // namespace actord::base
