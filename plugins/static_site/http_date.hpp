// SPDX-License-Identifier: Apache-2.0
//
// Dates of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT". Independent of the locale. The two obsolete
// formats that HTTP still allows are not read: such a header is ignored.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace static_site {

/// The date in that format.
std::string http_date(std::chrono::sys_seconds time);

/// Reads a date in exactly that format; none for other texts. The day of the week is not checked.
std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text);

}  // namespace static_site
