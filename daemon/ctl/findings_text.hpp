// SPDX-License-Identifier: Apache-2.0
//
// Findings as text.
#pragma once

#include <string>

#include "hocon/diagnostic.hpp"

namespace actord::ctl {

/// One line per finding in the format of a compiler, which editors read:
/// "file:line:column: error: message; help [code]".
std::string gcc_text(const hocon::Diagnostics& findings);

/// "3 errors and 1 warning"
std::string count_text(const hocon::Diagnostics& findings);

std::size_t count_errors(const hocon::Diagnostics& findings);

}  // namespace actord::ctl
