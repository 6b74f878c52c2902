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

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;  // remarks
};
Counts count(const hocon::Diagnostics& findings);

/// "3 errors, 1 warning and 2 notes", without those of which there are none; "0 errors".
std::string count_text(const hocon::Diagnostics& findings);

}  // namespace actord::ctl
