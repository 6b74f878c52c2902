// SPDX-License-Identifier: Apache-2.0
//
// Texts and values of fields as people read them on a console: escaped, long ones cut.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/log_record.hpp"
#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Appends the text, escaped; of a longer text than 4096 bytes the start and "…".
void append_console_text(LineBuffer& out, std::string_view text);

/// Appends 1500000 as "1.5ms" and 90000000000 as "90s", with at most three decimals.
void append_console_duration(LineBuffer& out, std::int64_t ns);

/// Appends the value. A text that could be mistaken for other parts of the line is quoted.
void append_console_value(LineBuffer& out, const log::Value& value);

}  // namespace actord::sinks
