// SPDX-License-Identifier: Apache-2.0
//
// Which characters are blank in HOCON.
#pragma once

#include <string_view>

namespace actord::hocon::unicode {

/// Blank in HOCON's sense: Zs, Zl, Zp, U+FEFF, tab, VT, FF, CR, U+001C to U+001F, and the newline.
bool is_blank(char32_t code) noexcept;

/// `text` without blanks at either end.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace actord::hocon::unicode
