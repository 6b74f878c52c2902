// SPDX-License-Identifier: Apache-2.0
//
// reference.conf, generated from the schema: the first layer of every configuration, and
// documentation (a test compares the copy config/reference.conf).
#pragma once

#include <string_view>

namespace actord::schema {

/// Its name in messages.
inline constexpr std::string_view reference_name = "reference.conf";

/// Every key with its documentation; keys without a default are commented out. Threads: any.
std::string_view reference_text();

}  // namespace actord::schema
