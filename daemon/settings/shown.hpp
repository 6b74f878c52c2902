// SPDX-License-Identifier: Apache-2.0
//
// Converts values to text that may be shown: secrets are hidden.
#pragma once

#include <string>

#include "hocon/tree.hpp"

namespace actord::settings {

/// The value on one line in the syntax of a configuration; a secret is replaced by
/// hocon::secret_word. The source text of a secret must not be shown either.
std::string shown(const hocon::Value& value);

}  // namespace actord::settings
