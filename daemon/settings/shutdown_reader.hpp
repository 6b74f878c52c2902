// SPDX-License-Identifier: Apache-2.0
//
// Reads the section coordinated-shutdown.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// After an error the plan is that of the standard phases.
ShutdownSettings read_shutdown(ObjectReader block);

}  // namespace actord::settings
