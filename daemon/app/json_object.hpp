// SPDX-License-Identifier: Apache-2.0
//
// Reads an object that an operator has written as JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// The error says what is wrong and where, in the words of an operator: `kind` is "message".
base::Result<wire::Json> read_object(const std::string& text, std::string_view kind);

}  // namespace actord::app
