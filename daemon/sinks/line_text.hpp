// SPDX-License-Identifier: Apache-2.0
//
// Texts and numbers on a line. Any bytes may be given; the output is valid UTF-8 without control
// characters.
//
// Most texts are plain and are copied 16 bytes at a time; the check for special bytes comes at the
// end. Numbers are written eight digits at a time. Both are inline, because each line calls them
// about ten times.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sinks/line_buffer.hpp"

namespace actord::sinks {

namespace detail {

static_assert(std::endian::native == std::endian::little, "words are taken apart from their start");

inline constexpr std::uint64_t ones = 0x0101'0101'0101'0101U;
inline constexpr std::uint64_t tops = 0x8080'8080'8080'8080U;
inline constexpr unsigned char del = 0x7F;

constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept {
  return (word - ones) & ~word & tops;
}

/// Special bytes are those that JSON escapes, DEL, and all bytes beyond ASCII. Sets the top bit of
/// each special byte. Only the lowest bit set is exact.
constexpr std::uint64_t special_bytes(std::uint64_t word) noexcept {
  const std::uint64_t control = (word - ones * 0x20) & ~word & tops;
  return (word & tops) | control | zero_bytes(word ^ (ones * '"')) |
         zero_bytes(word ^ (ones * '\\')) | zero_bytes(word ^ (ones * del));
}

constexpr bool is_plain(unsigned char c) noexcept {
  return c >= 0x20 && c < del && c != '"' && c != '\\';
}

using Bytes16 = signed char __attribute__((vector_size(16)));

/// Sets each special byte to all ones. Bytes from 0x80 on are negative.
inline Bytes16 special_bytes(Bytes16 bytes) noexcept {
  return (bytes < 0x20) | (bytes == '"') | (bytes == '\\') | (bytes == del);
}

inline bool is_any(Bytes16 found) noexcept {
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

template <class T>
T take(const char* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Copies `text`; false: it has special bytes. Overlapping copies write the same bytes twice.
inline bool copy_if_plain(char* to, std::string_view text) noexcept {
  const char* const from = text.data();
  const std::size_t n = text.size();
  // Copies the first and the last sizeof(T) bytes, which together cover the text.
  const auto ends = [&]<class T>(T) {
    const T both[2] = {take<T>(from), take<T>(from + n - sizeof(T))};
    std::memcpy(to, &both[0], sizeof(T));
    std::memcpy(to + n - sizeof(T), &both[1], sizeof(T));
    if constexpr (sizeof both == sizeof(Bytes16))
      return !is_any(special_bytes(take<Bytes16>(reinterpret_cast<const char*>(both))));
    else return special_bytes(both[0] | std::uint64_t{both[1]} << 32U) == 0;
  };
  if (n >= 16) {
    Bytes16 found{};
    const auto step = [&](std::size_t i) {
      const auto bytes = take<Bytes16>(from + i);
      std::memcpy(to + i, &bytes, sizeof bytes);
      found |= special_bytes(bytes);
    };
    for (std::size_t i = 0; i + 16 < n; i += 16) step(i);
    step(n - 16);
    return !is_any(found);
  }
  if (n >= 8) return ends(std::uint64_t{});
  if (n >= 4) return ends(std::uint32_t{});
  bool is_whole = true;
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = from[i];
    is_whole = is_whole && is_plain(static_cast<unsigned char>(from[i]));
  }
  return is_whole;
}

char* put_json_special(char* to, std::string_view text) noexcept;

/// The eight decimal digits of a number below 10^8, the first digit in the lowest byte. It splits
/// into halves, quarters and single digits, all of one size in parallel.
constexpr std::uint64_t eight_digits(std::uint32_t value) noexcept {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32U;
  const std::uint64_t hundreds = (fours * 10'486 >> 20U) & 0x0000'007F'0000'007FU;
  const std::uint64_t twos = hundreds | (fours - 100 * hundreds) << 16U;
  const std::uint64_t tens = (twos * 103 >> 10U) & 0x000F'000F'000F'000FU;
  return tens | (twos - 10 * tens) << 8U;
}
static_assert(eight_digits(12'345'678) == 0x0807'0605'0403'0201U);
static_assert(eight_digits(99'999'999) == 0x0909'0909'0909'0909U);

inline constexpr std::uint64_t zeros = ones * '0';
inline constexpr std::uint64_t eight_digits_end = 100'000'000;

}  // namespace detail

/// The most bytes that one byte of text takes in JSON.
inline constexpr std::size_t json_escape_max = 6;
/// Writes the inside of a JSON string: escaped, invalid bytes replaced by U+FFFD. `to` has room for
/// json_escape_max times the text's size. Returns the end.
inline char* put_json_escaped(char* to, std::string_view text) noexcept {
  if (detail::copy_if_plain(to, text)) [[likely]]
    return to + text.size();
  return detail::put_json_special(to, text);
}

/// Escapes for a terminal: control characters and bidirectional overrides, such as \n \x1b \u202e.
/// Invalid bytes are replaced. If `is_quoted`, quotation marks and backslashes are escaped too.
void append_console_escaped(LineBuffer& out, std::string_view text, bool is_quoted);

/// Appends the text with its invalid bytes replaced by U+FFFD, and changes nothing else.
void append_valid_utf8(LineBuffer& out, std::string_view text);

// Numbers. `to` has room for number_max characters; each function returns the end.
inline constexpr std::size_t number_max = 40;
inline char* put_natural(char* to, std::uint64_t value) noexcept {
  if (value >= detail::eight_digits_end) {
    to = put_natural(to, value / detail::eight_digits_end);
    const std::uint64_t digits =
        detail::eight_digits(static_cast<std::uint32_t>(value % detail::eight_digits_end)) +
        detail::zeros;
    std::memcpy(to, &digits, sizeof digits);
    return to + 8;
  }
  const std::uint64_t digits = detail::eight_digits(static_cast<std::uint32_t>(value));
  const auto leading =
      static_cast<unsigned>(std::countr_zero(digits | std::uint64_t{1} << 56U)) / 8;
  const std::uint64_t text = (digits + detail::zeros) >> (8 * leading);
  std::memcpy(to, &text, sizeof text);
  return to + (8 - leading);
}

/// Writes six digits of a number below a million, with leading zeros.
inline char* put_six_digits(char* to, std::uint32_t value) noexcept {
  const std::uint64_t text = (detail::eight_digits(value) + detail::zeros) >> 16U;
  std::memcpy(to, &text, 6);
  return to + 6;
}
char* put_integer(char* to, std::int64_t value) noexcept;
/// Writes the shortest decimal that reads back as `value`. Not for infinities and NaN.
char* put_real(char* to, double value) noexcept;
/// Writes `ns` in units of `unit_ns`, a power of ten, exactly and without trailing zeros: 1500000
/// in ms is "1.5".
char* put_in_unit(char* to, std::int64_t ns, std::int64_t unit_ns) noexcept;

}  // namespace actord::sinks
