// SPDX-License-Identifier: Apache-2.0
//
// JSON in the daemon and actorctl. This is the only header that includes nlohmann_json.
#pragma once

#include <nlohmann/json.hpp>

namespace actord::wire {

/// Its members keep their order.
using Json = nlohmann::ordered_json;

}  // namespace actord::wire
