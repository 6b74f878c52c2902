// SPDX-License-Identifier: Apache-2.0
//
// --check: everything that a start does before the first actor, by the same code, and nothing else:
// no folder is made, no plugin is attached, no thread runs.
#pragma once

#include <optional>

#include "app/boot_error.hpp"
#include "app/configuration.hpp"

namespace actord::app {

/// What would keep the daemon from starting, as far as it can be known before.
std::optional<BootError> check(const Configuration& configuration);

}  // namespace actord::app
