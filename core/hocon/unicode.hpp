// SPDX-License-Identifier: Apache-2.0
//
// The parts of Unicode that HOCON needs: UTF-8 decoding and encoding, and which characters are
// blank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace actord::hocon::unicode {

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

/// Blank in HOCON's sense: Zs, Zl, Zp, U+FEFF, tab, VT, FF, CR, U+001C to U+001F, and the newline.
bool is_blank(char32_t code) noexcept;

/// `text` without blanks at either end.
std::string_view trimmed(std::string_view text) noexcept;

/// The number of code points in `text`, counted as the bytes that are no continuation bytes.
std::size_t length(std::string_view text) noexcept;

/// The byte offset of the `index`-th code point, or the size of `text`.
std::size_t offset_of(std::string_view text, std::size_t index) noexcept;

}  // namespace actord::hocon::unicode
