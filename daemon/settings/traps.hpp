// SPDX-License-Identifier: Apache-2.0
//
// Warnings about what is written rightly and yet does nothing, or something that few expect. Only
// what holds in the end is looked at: a value that another one overrides warns of nothing.
#pragma once

#include "settings/settings.hpp"

namespace actord::settings {

/// About a strategy's block, once all that belongs to it has been read; `written` may be absent or
/// no block.
void warn_of_strategy(Findings& findings, const hocon::Value& written,
                      const actor::Strategy& strategy);

/// About actors, and deployment rules beside them.
void warn_of_actors(Findings& findings, const Settings& settings);

}  // namespace actord::settings
