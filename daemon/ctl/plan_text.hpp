// SPDX-License-Identifier: Apache-2.0
//
// The steps of a reload as text for operators.
#pragma once

#include <string>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// One line for each step of a plan in the form of settings::json_of(Plan); empty if there is none.
std::string plan_text(const wire::Json& plan);

}  // namespace actord::ctl
