// SPDX-License-Identifier: Apache-2.0
//
// What a reload does or would do, for people.
#pragma once

#include <string>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// A line for each step of a plan as settings::json_of(Plan) writes it; empty for none.
std::string plan_text(const wire::Json& plan);

}  // namespace actord::ctl
