// SPDX-License-Identifier: Apache-2.0
//
// reference.conf, written from the schema: the first layer of every configuration, and a file for
// its readers (config/reference.conf is a copy that tests/tidy compares).
#pragma once

#include <string_view>

namespace actord::settings {

/// Its name in messages.
inline constexpr std::string_view reference_name = "reference.conf";

/// Every key with its doc; those without a default are commented out. Threads: any.
std::string_view reference_text();

}  // namespace actord::settings
