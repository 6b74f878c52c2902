// SPDX-License-Identifier: Apache-2.0
//
// Checks the names of exceptions in the deciders of a configuration against the failures that are
// known. A misspelt name is no error for the runtime: its rule is never chosen, and the failure is
// decided by another one.
#pragma once

#include "settings/known_failures.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Checks every decider. A name is a warning if it is near a known one, or lies in the namespace of
/// a plugin that declares failures but not this one. Any other unknown name is a remark, because
/// the plugin that throws it may be one that declares no failures.
void check_rules(Findings& findings, const Settings& settings, const KnownFailures& known);

}  // namespace actord::settings
