// SPDX-License-Identifier: Apache-2.0
//
// Text of any origin, fit for a terminal: file names, keys, what a plugin throws, what a peer says.
#pragma once

#include <string>
#include <string_view>

namespace actord::hocon {

/// Moves the next character of `text` to `out`: one column, no escape, no broken byte. A tab
/// becomes a space; a control character, a newline too, and a byte that is not UTF-8 become U+FFFD.
void append_printable(std::string& out, std::string_view& text);

/// The whole text so, but with its newlines.
std::string printable(std::string_view text);

}  // namespace actord::hocon
