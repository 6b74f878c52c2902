// SPDX-License-Identifier: Apache-2.0
#include "ctl/rough_quantity.hpp"

#include "base/counted.hpp"
#include "hocon/units.hpp"

namespace actord::ctl {

std::string rough_duration(std::uint64_t ms) {
  constexpr std::uint64_t second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  if (ms >= 2 * day) return base::counted(ms / day, "day");
  if (ms >= 2 * hour) return base::counted(ms / hour, "hour");
  if (ms >= 2 * minute) return base::counted(ms / minute, "minute");
  return base::counted(ms / second, "second");
}

std::string rough_bytes(std::uint64_t bytes) {
  const unsigned shift = bytes >= std::uint64_t{1} << 20U ? 20 : 10;
  return hocon::bytes_text(static_cast<std::int64_t>(bytes >> shift << shift));
}

}  // namespace actord::ctl
