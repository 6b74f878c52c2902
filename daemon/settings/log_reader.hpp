// SPDX-License-Identifier: Apache-2.0
//
// Reads actord.log.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads the block into `settings.log`. Paths are relative as in read_path().
void read_log(ObjectReader block, Settings& settings, const ReadOptions& options);

}  // namespace actord::settings
