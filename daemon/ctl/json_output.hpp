// SPDX-License-Identifier: Apache-2.0
//
// How every verb prints JSON.
#pragma once

#include <ostream>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// What is no valid UTF-8, such as a file's name, is replaced; what a terminal would obey is
/// escaped. `indent` -1: on one line.
std::string json_text(const wire::Json& json, int indent = -1);

/// Indented, with a newline at its end.
inline void print_json(std::ostream& out, const wire::Json& json) {
  out << json_text(json, 2) << '\n';
}

}  // namespace actord::ctl
