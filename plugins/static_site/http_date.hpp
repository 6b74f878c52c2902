// SPDX-License-Identifier: Apache-2.0
//
// Dates as HTTP writes them: "Sun, 06 Nov 1994 08:49:37 GMT". Independent of the locale. The two
// obsolete spellings that HTTP still allows are not read: what is not understood asks for nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace static_site {

std::string http_date(std::chrono::sys_seconds time);

/// Nothing unless the text is a date of exactly that form. The day of the week is not checked.
std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text);

}  // namespace static_site
