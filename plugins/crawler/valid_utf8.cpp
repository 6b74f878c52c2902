// SPDX-License-Identifier: Apache-2.0

#include "valid_utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace crawler {
namespace {

// Skips ASCII, eight bytes at a time: most bytes of most pages are ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t at) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  for (std::uint64_t word = 0; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// The bytes that may follow a lead byte. Only the range of the first of them depends on the lead.
struct Sequence {
  std::size_t size = 0;  // of the whole character; 0: the byte leads no character
  unsigned char low = 0x80, high = 0xBF;
};

Sequence sequence_of(unsigned char lead) noexcept {
  if (lead >= 0xC2 && lead <= 0xDF) return {2};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};  // less would be overlong
  if (lead == 0xED) return {3, 0x80, 0x9F};  // more would be a surrogate
  if (lead >= 0xE1 && lead <= 0xEF) return {3};
  if (lead == 0xF0) return {4, 0x90, 0xBF};  // less would be overlong
  if (lead == 0xF4) return {4, 0x80, 0x8F};  // more would be above U+10FFFF
  if (lead >= 0xF1 && lead <= 0xF3) return {4};
  return {};
}

}  // namespace

InvalidUtf8 find_invalid_utf8(std::string_view text, std::size_t from) noexcept {
  std::size_t at = from;
  while ((at = skip_ascii(text, at)) < text.size()) {
    Sequence expected = sequence_of(static_cast<unsigned char>(text[at]));
    if (expected.size == 0) return {at, 1, false};
    for (std::size_t i = 1; i < expected.size; ++i) {
      if (at + i == text.size()) return {at, i, true};
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if (byte < expected.low || byte > expected.high) return {at, i, false};
      expected.low = 0x80;
      expected.high = 0xBF;
    }
    at += expected.size;
  }
  return {text.size(), 0, false};
}

bool looks_like_utf8(std::string_view text) noexcept {
  const InvalidUtf8 invalid = find_invalid_utf8(text);
  if (invalid.size == 0) return true;
  // The last byte of a text in windows-1252 may look like a lead byte, too.
  return invalid.is_cut && skip_ascii(text, 0) < invalid.at;
}

std::size_t append_valid_utf8(std::string& out, std::string_view text) {
  std::size_t replaced = 0;
  for (std::size_t from = 0;;) {
    const InvalidUtf8 invalid = find_invalid_utf8(text, from);
    out += text.substr(from, invalid.at - from);
    if (invalid.size == 0) return replaced;
    out += replacement_character;
    ++replaced;
    from = invalid.at + invalid.size;
  }
}

}  // namespace crawler
