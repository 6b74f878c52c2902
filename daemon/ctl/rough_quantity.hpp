// SPDX-License-Identifier: Apache-2.0
//
// Quantities as people say them.
#pragma once

#include <cstdint>
#include <string>

namespace actord::ctl {

/// "26 seconds", "3 hours".
std::string rough_duration(std::uint64_t ms);
/// Bytes in whole MiB, or in KiB if they are less than one.
std::string rough_bytes(std::uint64_t bytes);

}  // namespace actord::ctl
