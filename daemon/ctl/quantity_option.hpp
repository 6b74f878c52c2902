// SPDX-License-Identifier: Apache-2.0
//
// The value of an option that is a number or a duration.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ctl/verb.hpp"

namespace actord::ctl {

struct NumberRange {
  std::uint64_t least, most;
};

/// `otherwise` without the option; nullopt after reporting that its value is no number of the
/// range.
std::optional<std::uint64_t> number_option(const Call& call, std::string_view option,
                                           std::uint64_t otherwise, NumberRange range, Exit& exit);

struct DurationRange {
  std::chrono::nanoseconds least{0};
  std::chrono::nanoseconds most = std::chrono::nanoseconds::max();
  std::string_view help = "write a duration with its unit: 10m";
};

/// `otherwise` without the option; nullopt after reporting that its value is no duration of the
/// range.
std::optional<std::chrono::nanoseconds> duration_option(const Call& call, std::string_view option,
                                                        std::chrono::nanoseconds otherwise,
                                                        const DurationRange& range, Exit& exit);

}  // namespace actord::ctl
