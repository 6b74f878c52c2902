// SPDX-License-Identifier: Apache-2.0
//
// The values of a strategy in the words of the configuration, for strategies that are chosen by
// name and have no values in any file.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "actor/strategy.hpp"

namespace actord::settings {

/// The value of a key of supervisor-strategy, such as {"max-restarts"} or {"decider", "default"};
/// nullopt: the strategy has no such value, or there is no such key.
std::optional<std::string> value_text(const actor::Strategy& strategy,
                                      std::span<const std::string> key);

}  // namespace actord::settings
