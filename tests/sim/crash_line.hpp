// SPDX-License-Identifier: Apache-2.0
//
// A crash is a violation too: says which seed of which profile it was, on standard output, before
// the process ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::sim {

/// Once per process. Not under a sanitizer, which reports by itself.
void tell_crashes();
/// What a crash from here on is blamed on.
void now_running(std::string_view profile, std::uint64_t seed);

}  // namespace actord::sim
