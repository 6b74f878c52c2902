// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <cstring>

namespace actord::base::utf8 {

Decoded decode(std::string_view text) noexcept {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  unsigned bytes = 0;
  char32_t code = 0;
  char32_t least = 0;
  if ((lead & 0xE0U) == 0xC0U) bytes = 2, code = lead & 0x1FU, least = 0x80;
  else if ((lead & 0xF0U) == 0xE0U) bytes = 3, code = lead & 0x0FU, least = 0x800;
  else if ((lead & 0xF8U) == 0xF0U) bytes = 4, code = lead & 0x07U, least = 0x10000;
  else return {};
  if (text.size() < bytes) return {};
  for (unsigned i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

void append(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U)), put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U)), put(0x80U | ((code >> 6U) & 0x3FU)), put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U)), put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU)), put(0x80U | (code & 0x3FU));
  }
}

std::size_t find_invalid(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    // Eight bytes at a time while all are ASCII, as in nearly all of most files.
    std::uint64_t word = 0;
    if (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & 0x8080808080808080U) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const Decoded decoded = decode(text.substr(at));
    if (decoded.bytes == 0) return at;
    at += decoded.bytes;
  }
  return std::string_view::npos;
}

std::size_t length(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char byte : text) count += is_continuation(byte) ? 0 : 1;
  return count;
}

std::size_t offset_of(std::string_view text, std::size_t index) noexcept {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (index == 0) break;
    --index;
  }
  return at;
}

}  // namespace actord::base::utf8
