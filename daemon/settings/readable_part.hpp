// SPDX-License-Identifier: Apache-2.0
//
// The part of invalid settings that can still be checked or shown, so that one error does not hide
// others. It never takes effect.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.hpp"

namespace actord::settings {

/// `settings` that were read with errors, without the parts for which bind() would report the same
/// errors.
Settings readable_part(Settings settings);

/// `settings` without the parts that need one of `plugins`, which are not loaded.
Settings part_without_plugins(const std::vector<std::string>& plugins, Settings settings);

}  // namespace actord::settings
