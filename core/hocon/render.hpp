// SPDX-License-Identifier: Apache-2.0
//
// A resolved value as JSON.
#pragma once

#include <string>
#include <string_view>

#include "hocon/tree.hpp"

namespace actord::hocon {

/// JSON, with "(secret)" in place of secrets, members in order of first definition, and numbers as
/// they were written. `pretty`: two spaces per level and a newline at the end; otherwise one line
/// without blanks.
std::string render_json(const Value& value, bool pretty);

/// The same JSON with U+007F to U+009F escaped: JSON allows these control characters, but a
/// terminal obeys them.
std::string with_controls_escaped(std::string_view json);

/// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);

}  // namespace actord::hocon
