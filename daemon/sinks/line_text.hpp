// SPDX-License-Identifier: Apache-2.0
//
// Texts and numbers on a line: whatever bytes come in, valid UTF-8 without control characters goes
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Length of the valid UTF-8 sequence of 2 to 4 bytes at the start of `text`, or 0 if there is
/// none.
std::size_t sequence_length(std::string_view text) noexcept;

/// The first `limit` bytes of `text`, not ending inside a character.
std::string_view clip_text(std::string_view text, std::size_t limit) noexcept;

/// As the inside of a JSON string: escaped, invalid bytes replaced by U+FFFD.
void append_json_escaped(LineBuffer& out, std::string_view text);

/// For a terminal: control characters, and those that turn the direction of writing, as \n \x1b
/// \u202e; invalid bytes replaced. If `is_quoted`, quotation mark and backslash are escaped, too.
void append_console_escaped(LineBuffer& out, std::string_view text, bool is_quoted);

void append_integer(LineBuffer& out, std::int64_t value);
void append_natural(LineBuffer& out, std::uint64_t value);

/// The shortest decimal that reads back as `value`. Not for infinities and NaN.
void append_real(LineBuffer& out, double value);

/// `ns` in units of `unit_ns` (a power of ten), exactly, without needless digits: 1500000 in ms is
/// "1.5".
void append_in_unit(LineBuffer& out, std::int64_t ns, std::int64_t unit_ns);

}  // namespace actord::sinks
