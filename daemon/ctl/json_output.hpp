// SPDX-License-Identifier: Apache-2.0
//
// How every verb prints JSON.
#pragma once

#include <ostream>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// Indented, with a newline at its end. What is no valid UTF-8, such as a file's name, is replaced.
inline void print_json(std::ostream& out, const wire::Json& json) {
  out << json.dump(2, ' ', false, wire::Json::error_handler_t::replace) << '\n';
}

}  // namespace actord::ctl
