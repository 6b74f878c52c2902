// SPDX-License-Identifier: Apache-2.0
//
// The failures that a decider of a configuration can name, as far as they are known.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.hpp"

namespace actord::ctl {

/// Sorted names. Loads the plugins of the configuration, without attaching them; what a plugin
/// declares that cannot be loaded is missing.
std::vector<std::string> failure_names(const config::Configuration& configuration);

}  // namespace actord::ctl
