// SPDX-License-Identifier: Apache-2.0
//
// What a strategy says, in the words of the configuration: for strategies that were chosen by name,
// whose parts nobody has written down.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "actor/strategy.hpp"

namespace actord::settings {

/// The value of a key of supervisor-strategy, such as {"max-restarts"} or {"decider", "default"};
/// nothing where the strategy says nothing, or there is no such key.
std::optional<std::string> told(const actor::Strategy& strategy, std::span<const std::string> key);

}  // namespace actord::settings
