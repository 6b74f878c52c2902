// SPDX-License-Identifier: Apache-2.0
//
// A text that is cut to a limit and stays text.
#pragma once

#include <cstddef>
#include <string_view>

namespace actord::base {

/// The first `limit` bytes of `text`, not ending inside a character of UTF-8.
inline std::string_view clip_text(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

}  // namespace actord::base
