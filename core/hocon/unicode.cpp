// SPDX-License-Identifier: Apache-2.0
#include "hocon/unicode.hpp"

#include "base/utf8.hpp"

namespace actord::hocon::unicode {

bool is_blank(char32_t code) noexcept {
  switch (code) {
    case 0x20:
    case 0x09:
    case 0x0A:
    case 0x0B:
    case 0x0C:
    case 0x0D:
    case 0x1C:
    case 0x1D:
    case 0x1E:
    case 0x1F:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF: return true;
    default: return code >= 0x2000 && code <= 0x200A;
  }
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty()) {
    const base::utf8::Decoded first = base::utf8::decode(text);
    if (first.bytes == 0 || !is_blank(first.code)) break;
    text.remove_prefix(first.bytes);
  }
  while (!text.empty()) {
    std::size_t last = text.size() - 1;
    while (last > 0 && base::utf8::is_continuation(text[last])) --last;
    const base::utf8::Decoded decoded = base::utf8::decode(text.substr(last));
    if (decoded.bytes == 0 || !is_blank(decoded.code)) break;
    text.remove_suffix(text.size() - last);
  }
  return text;
}

}  // namespace actord::hocon::unicode
