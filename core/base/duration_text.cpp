// SPDX-License-Identifier: Apache-2.0
#include "base/duration_text.hpp"

#include <string_view>

namespace actord::base {

std::string duration_text(std::int64_t ns) {
  struct Unit {
    std::int64_t ns;
    std::string_view name;
  };
  constexpr Unit units[] = {{86'400'000'000'000, " d"}, {3'600'000'000'000, " h"},
                            {60'000'000'000, " min"},   {1'000'000'000, " s"},
                            {1'000'000, " ms"},         {1000, " us"}};
  for (const Unit& unit : units) {
    if (ns != 0 && ns % unit.ns == 0) return std::to_string(ns / unit.ns).append(unit.name);
  }
  return std::to_string(ns) + " ns";
}

}  // namespace actord::base
