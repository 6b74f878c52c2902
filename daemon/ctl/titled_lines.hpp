// SPDX-License-Identifier: Apache-2.0
//
// The form in which verbs describe one thing: a title, and what it is, on each line.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace actord::ctl {

/// The text with its newlines and other control characters escaped.
std::string in_one_line(std::string_view text);

/// Prints "  state       running"; nothing if there is no text. Newlines in the text are escaped; a
/// list is continued below its beginning. A line without a title continues the one before.
void print_titled(std::ostream& out, std::string_view title, std::string_view text);

}  // namespace actord::ctl
