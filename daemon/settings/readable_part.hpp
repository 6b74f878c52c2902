// SPDX-License-Identifier: Apache-2.0
//
// What is left of settings to be looked at when something is wrong with them, so that one mistake
// hides no others. It is never carried out.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

/// `settings` that were read with errors, without what bind() would tell of once more.
Settings readable_part(Settings settings);

/// Without what only these plugins, which are not there, could tell.
Settings part_without(const std::vector<std::string>& plugins, Settings settings);

}  // namespace actord::settings
