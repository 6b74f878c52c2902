// SPDX-License-Identifier: Apache-2.0
//
// Cuts a text to a limit without breaking a UTF-8 character.
#pragma once

#include <cstddef>
#include <string_view>

namespace actord::base {

/// The first `limit` bytes of `text`, or up to 3 fewer, so that no UTF-8 character is cut.
inline std::string_view clip_text(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

}  // namespace actord::base
