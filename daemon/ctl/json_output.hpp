// SPDX-License-Identifier: Apache-2.0
//
// The JSON output of all verbs.
#pragma once

#include <ostream>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// Invalid UTF-8, as in file names, is replaced; control characters that a terminal obeys are
/// escaped. `indent` -1: on one line.
std::string json_text(const wire::Json& json, int indent = -1);

/// Prints indented JSON with a newline at its end.
inline void print_json(std::ostream& out, const wire::Json& json) {
  out << json_text(json, 2) << '\n';
}

}  // namespace actord::ctl
