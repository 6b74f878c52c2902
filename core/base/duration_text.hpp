// SPDX-License-Identifier: Apache-2.0
//
// Durations as text for people and for configuration files.
#pragma once

#include <cstdint>
#include <string>

namespace actord::base {

/// In the largest unit that needs no fraction: "90 s", "5 min". The configuration reader accepts
/// it.
std::string duration_text(std::int64_t ns);

}  // namespace actord::base
