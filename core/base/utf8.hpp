// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: decoding, encoding, counting and cutting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace actord::base::utf8 {

constexpr bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// One decoded code point. `bytes` is 0 if the text does not begin with valid UTF-8 or is empty.
struct Decoded {
  char32_t code = 0;
  unsigned bytes = 0;
};
Decoded decode(std::string_view text) noexcept;

/// Appends a code point, which must not be a surrogate.
void append(std::string& out, char32_t code);

/// The offset of the first invalid byte sequence, or npos.
std::size_t find_invalid(std::string_view text) noexcept;

/// The number of code points in `text`, counted as the bytes that are no continuation bytes.
std::size_t length(std::string_view text) noexcept;

/// The byte offset of the `index`-th code point, or the size of `text`.
std::size_t offset_of(std::string_view text, std::size_t index) noexcept;

/// The first `limit` bytes of `text`, or up to 3 fewer, so that no character is cut.
constexpr std::string_view clip(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && is_continuation(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace actord::base::utf8
