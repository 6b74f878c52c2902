// SPDX-License-Identifier: Apache-2.0
//
// The uncommon cases: escapes, characters beyond ASCII, invalid bytes.
#include "sinks/line_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/utf8.hpp"

namespace actord::sinks {

using namespace detail;

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view hex = "0123456789abcdef";

/// Copies the plain start of `text` to `to`, which has room for all of `text`; returns its length.
std::size_t copy_plain(char* to, std::string_view text) noexcept {
  std::size_t i = 0;
  while (text.size() - i >= 8) {
    const auto word = take<std::uint64_t>(text.data() + i);
    std::memcpy(to + i, &word, sizeof word);
    const std::uint64_t special = special_bytes(word);
    if (special != 0) return i + static_cast<std::size_t>(std::countr_zero(special)) / 8;
    i += 8;
  }
  for (; i < text.size() && is_plain(static_cast<unsigned char>(text[i])); ++i) to[i] = text[i];
  return i;
}

char* put(char* to, std::string_view text) noexcept {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

/// The letter of the short escape of `c`, or 0.
constexpr char short_escape(unsigned char c) noexcept {
  switch (c) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    case '"': return '"';
    case '\\': return '\\';
    default: return 0;
  }
}

char* put_json_escape(char* to, unsigned char c) noexcept {
  *to++ = '\\';
  if (const char letter = short_escape(c)) {
    *to++ = letter;
    return to;
  }
  to = put(to, "u00");
  *to++ = hex[c >> 4U];
  *to++ = hex[c & 15U];
  return to;
}

/// Whether the character must be escaped. C1 controls are commands to a terminal, some characters
/// end a line for some readers, and bidirectional controls change the visible order of a line.
constexpr bool is_treacherous(char32_t point) noexcept {
  return (point >= 0x80 && point < 0xA0) || (point >= 0x202A && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0x2028 || point == 0x2029 ||
         point == 0x200E || point == 0x200F || point == 0x061C;
}

/// Writes "\\u2028".
char* put_unicode_escape(char* to, char32_t point) noexcept {
  to = put(to, "\\u");
  for (int shift = 12; shift >= 0; shift -= 4) *to++ = hex[(point >> shift) & 15U];
  return to;
}

void append_console_special(LineBuffer& out, unsigned char c) {
  const char letter = c < 0x20 ? short_escape(c) : '\0';
  if (letter != 0) {
    out.append('\\');
    out.append(letter);
  } else {
    out.append("\\x");
    out.append(hex[c >> 4U]);
    out.append(hex[c & 15U]);
  }
}

}  // namespace

char* detail::put_json_special(char* to, std::string_view text) noexcept {
  for (;;) {
    const std::size_t plain = copy_plain(to, text);
    to += plain;
    text.remove_prefix(plain);
    if (text.empty()) return to;
    const auto c = static_cast<unsigned char>(text.front());
    if (c < 0x80) {
      to = put_json_escape(to, c);
      text.remove_prefix(1);
    } else if (const base::utf8::Decoded character = base::utf8::decode(text); character.bytes) {
      to = is_treacherous(character.code) ? put_unicode_escape(to, character.code)
                                          : put(to, text.substr(0, character.bytes));
      text.remove_prefix(character.bytes);
    } else {
      to = put(to, replacement);
      text.remove_prefix(1);
    }
  }
}

void append_console_escaped(LineBuffer& out, std::string_view text, bool is_quoted) {
  while (!text.empty()) {
    const std::size_t plain = copy_plain(out.reserve(text.size()), text);
    out.advance(plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const char c = text.front();
    const base::utf8::Decoded character = base::utf8::decode(text);
    if (c == '"' || c == '\\') {
      if (is_quoted) out.append('\\');
      out.append(c);
    } else if (character.bytes == 0) {
      out.append(replacement);
    } else if (character.bytes == 1) {
      append_console_special(out, static_cast<unsigned char>(c));
    } else if (is_treacherous(character.code)) {
      put_unicode_escape(out.reserve(6), character.code);
      out.advance(6);
    } else {
      out.append(text.substr(0, character.bytes));
    }
    text.remove_prefix(std::max(character.bytes, 1U));
  }
}

void append_valid_utf8(LineBuffer& out, std::string_view text) {
  for (;;) {
    const std::size_t valid = base::utf8::find_invalid(text);
    out.append(text.substr(0, valid));
    if (valid == text.npos) return;
    out.append(replacement);
    text.remove_prefix(valid + 1);
  }
}

// ---- numbers ------------------------------------------------------------------------------------

char* put_integer(char* to, std::int64_t value) noexcept {
  if (value >= 0) return put_natural(to, static_cast<std::uint64_t>(value));
  *to = '-';
  return put_natural(to + 1, 0 - static_cast<std::uint64_t>(value));
}

char* put_real(char* to, double value) noexcept {
  return fmt::format_to_n(to, number_max, "{}", value).out;
}

char* put_in_unit(char* to, std::int64_t ns, std::int64_t unit_ns) noexcept {
  auto rest = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    *to++ = '-';
    rest = 0 - rest;
  }
  const auto unit = static_cast<std::uint64_t>(unit_ns);
  to = put_natural(to, rest / unit);
  rest %= unit;
  if (rest == 0) return to;
  *to++ = '.';
  for (std::uint64_t digit = unit / 10; rest != 0; rest %= digit, digit /= 10)
    *to++ = static_cast<char>('0' + rest / digit);
  return to;
}

}  // namespace actord::sinks
