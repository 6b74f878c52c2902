// SPDX-License-Identifier: Apache-2.0
//
// The journal of persistent actors.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads actord.persistence. The state directory must have been read.
void read_persistence(ObjectReader block, Settings& settings, const ReadOptions& options);

}  // namespace actord::settings
