// SPDX-License-Identifier: Apache-2.0
//
// The failures that a decider of a configuration can name, as far as they are known.
#pragma once

#include <string>
#include <vector>

#include "system/behaviour_registry.hpp"

namespace actord::config {

/// Sorted names: those of actord, and what the registered plugins declare.
std::vector<std::string> failure_names(const system::BehaviourRegistry& registry);

}  // namespace actord::config
