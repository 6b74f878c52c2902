// SPDX-License-Identifier: Apache-2.0
//
// JSON Schema for what may also be null.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace actord::settings {

/// `described`, a schema without null among its types, or null, which takes a value away.
nlohmann::ordered_json nullable(nlohmann::ordered_json described);

}  // namespace actord::settings
