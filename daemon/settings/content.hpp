// SPDX-License-Identifier: Apache-2.0
//
// The canonical text of a value. Equal values have equal texts, wherever and in whatever order
// their members were written.
#pragma once

#include <string>
#include <string_view>

#include "hocon/tree.hpp"

namespace actord::settings {

/// Empty for an absent value. Omits the member `without` of an object. The text contains secrets
/// and must not be shown.
std::string canonical_text(const hocon::Value& value, std::string_view without = {});

}  // namespace actord::settings
