// SPDX-License-Identifier: Apache-2.0
//
// The unit in which a duration is written for programs: the one that ends its key, else
// milliseconds, and then the name gets the suffix _ms.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace actord::sinks {

struct DurationUnit {
  std::string_view suffix;
  std::int64_t ns;
};
inline constexpr std::array<DurationUnit, 4> duration_units = {
    {{"_ms", 1'000'000}, {"_us", 1'000}, {"_ns", 1}, {"_s", 1'000'000'000}}};

/// The unit in the suffix of a name, or nullptr.
constexpr const DurationUnit* duration_unit_of(std::string_view name) noexcept {
  const auto* const found = std::ranges::find_if(
      duration_units, [&](const DurationUnit& unit) { return name.ends_with(unit.suffix); });
  return found == duration_units.end() ? nullptr : found;
}

}  // namespace actord::sinks
