// SPDX-License-Identifier: Apache-2.0
//
// --check: runs the code of a start up to, but without, the first actor. It has no side effects:
// no directory is created, no thread runs, and the code of plugins runs only in processes without
// rights.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "config/boot_error.hpp"
#include "config/configuration.hpp"

namespace actord::config {

/// How far a check goes: only the text, or also plugins, files and directories of this machine.
enum class Reach : std::uint8_t { text, environment };

/// Returns the warnings; or an error with everything that would make a start fail and can be known
/// before, in the order of the files.
base::Result<hocon::Diagnostics, BootError> check(const ConfigDraft& draft,
                                                  Reach reach = Reach::environment);

/// Whether one of the findings is more than a remark.
bool has_warnings(const hocon::Diagnostics& findings);

}  // namespace actord::config
