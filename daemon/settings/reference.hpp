// SPDX-License-Identifier: Apache-2.0
//
// config/reference.conf, compiled in: the first layer of every configuration.
#pragma once

#include <string_view>

namespace actord::settings {

/// Its name in messages.
inline constexpr std::string_view reference_name = "reference.conf";

/// The file's text, as it was when this was built.
std::string_view reference_text() noexcept;

}  // namespace actord::settings
