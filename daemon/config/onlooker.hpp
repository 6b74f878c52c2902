// SPDX-License-Identifier: Apache-2.0
//
// For whom a check judges what actors need: the user of the service, a named user, or itself.
#pragma once

#include "base/result.hpp"
#include "config/boot_error.hpp"
#include "config/configuration.hpp"
#include "config/resource_check.hpp"

namespace actord::config {

/// The onlooker of `actord --check` and `actorctl config check`: the user of the option --user, or
/// the User= of the installed unit if that starts the configuration's first file, or this process.
/// Looks at ports, too, and asks the running daemon about those in use. The error: there is no such
/// user.
base::Result<Onlooker, BootError> onlooker_of(const Configuration& configuration);

}  // namespace actord::config
