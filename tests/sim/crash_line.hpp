// SPDX-License-Identifier: Apache-2.0
//
// A crash is a violation too: before the process ends, a line on standard output says which seed of
// which profile was running.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::sim {

/// Installs the handler, once per process. Does nothing under a sanitizer, which reports by itself.
void tell_crashes();
/// Names the run that a later crash is reported for.
void now_running(std::string_view profile, std::uint64_t seed);

}  // namespace actord::sim
