// SPDX-License-Identifier: Apache-2.0
//
// Reads members of a daemon's answer that may be missing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// The text at a path of members, "failure.id"; empty if there is none.
std::string text_at(const wire::Json& json, std::string_view path);
/// The number there; 0 if there is none.
std::uint64_t number_at(const wire::Json& json, std::string_view path);
/// The milliseconds there as text, "10 s".
std::string duration_at(const wire::Json& json, std::string_view path);

}  // namespace actord::ctl
