// SPDX-License-Identifier: Apache-2.0
//
// Values as they may be shown to anybody: the one place where secrets are kept back.
#pragma once

#include <string>

#include "hocon/tree.hpp"

namespace actord::settings {

/// On one line, valid in a configuration but for secrets: hocon::secret_word stands in their place.
/// What a source says about such a value must not be shown either.
std::string shown(const hocon::Value& value);

}  // namespace actord::settings
