// SPDX-License-Identifier: Apache-2.0
//
// Checks and mends UTF-8. The index stores valid UTF-8 only, whatever a server sends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crawler {

/// The replacement character U+FFFD, which stands for bytes that are no character.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// A place in a text that is no UTF-8.
struct InvalidUtf8 {
  std::size_t at = 0;    // offset of the first bad byte; the size of the text if it is valid
  std::size_t size = 0;  // bytes that one U+FFFD replaces, at least 1; 0 if the text is valid
  bool is_cut = false;   // the text ends within a character that has been valid so far
};

/// The first such place at or after `from`, which must be the beginning of a character. Overlong
/// forms, surrogates and code points above U+10FFFF are invalid.
[[nodiscard]] InvalidUtf8 find_invalid_utf8(std::string_view text, std::size_t from = 0) noexcept;

/// Whether the text is UTF-8. Its last character may be incomplete if others are beyond ASCII.
[[nodiscard]] bool looks_like_utf8(std::string_view text) noexcept;

/// Appends the text. U+FFFD replaces what is invalid, as the Encoding Standard says: once for the
/// longest part that could have begun a character. Returns how often it did.
std::size_t append_valid_utf8(std::string& out, std::string_view text);

}  // namespace crawler
