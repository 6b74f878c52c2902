// SPDX-License-Identifier: Apache-2.0
//
// --check: everything that a start does before the first actor, by the same code, and nothing else:
// no folder is made, no plugin is attached, no thread runs.
#pragma once

#include <cstdint>

#include "app/boot_error.hpp"
#include "app/configuration.hpp"
#include "base/result.hpp"

namespace actord::app {

/// How far a check looks: only at what is written, or also at what it needs of this machine.
enum class Reach : std::uint8_t { text, environment };

/// What is odd about the configuration; or all that would keep the daemon from starting, as far as
/// it can be known before, in the order of the files.
base::Result<hocon::Diagnostics, BootError> check(const ConfigDraft& draft,
                                                  Reach reach = Reach::environment);

}  // namespace actord::app
