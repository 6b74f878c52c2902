// SPDX-License-Identifier: Apache-2.0
//
// JSON Schema for values that may be null.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace actord::schema {

/// The schema `described`, extended so that null is valid too: null removes an inherited value.
nlohmann::ordered_json nullable(nlohmann::ordered_json described);

}  // namespace actord::schema
