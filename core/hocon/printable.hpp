// SPDX-License-Identifier: Apache-2.0
//
// Makes text from any source safe for a terminal: file names, keys, messages of plugins and peers.
#pragma once

#include <string>
#include <string_view>

namespace actord::hocon {

/// Moves the next character of `text` to `out`, one column wide, without escapes or broken bytes. A
/// tab becomes a space. A control character, a newline, or a byte that is not UTF-8 becomes U+FFFD.
void append_printable(std::string& out, std::string_view& text);

/// The whole text, made printable; newlines are kept.
std::string printable(std::string_view text);

}  // namespace actord::hocon
