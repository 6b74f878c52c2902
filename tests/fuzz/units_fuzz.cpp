// SPDX-License-Identifier: Apache-2.0
//
// Takes any text as a duration, size, period, number, boolean, path and name of a variable.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestion.hpp"
#include "hocon/key_path.hpp"
#include "hocon/tree.hpp"
#include "hocon/units.hpp"
#include "property.hpp"

namespace {

namespace hocon = actord::hocon;
using actord::fuzz::must;

void check_units(std::string_view text) {
  const auto duration = hocon::parse_duration_ns(text);
  must(duration.ok() || !duration.error().what.empty(), "a refused duration says why");
  const auto bytes = hocon::parse_bytes(text);
  must(!bytes || *bytes >= 0, "no size is negative", text);
  if (const auto period = hocon::parse_period(text)) {
    must(to_string(*period).starts_with('P'), "a period is written as ISO 8601", text);
  }
}

void check_numbers(std::string_view text) {
  const bool number = hocon::is_json_number(text);
  const auto integer = hocon::parse_integer(text);
  const auto real = hocon::parse_number(text);
  must(number || (!integer && !real), "only a JSON number is a number", text);
  must(!integer || real, "a whole number is a number", text);
  if (!integer) return;
  const std::string written = std::to_string(*integer);
  must(hocon::parse_integer(written) == integer, "a whole number reads as it is written", text);
  must(*hocon::parse_bytes(*integer < 0 ? "0" : written) == std::max<std::int64_t>(*integer, 0),
       "a whole number is a number of bytes", text);
}

void check_paths(std::string_view text) {
  if (const auto path = hocon::parse_path(text)) {
    const std::vector<std::string_view> elements(path->begin(), path->end());
    const auto again = hocon::parse_path(hocon::to_text(elements));
    must(again == path, "a path reads as it is written", text);
  }
  if (const auto key = hocon::key_of_environment_name(text))
    must(!key->empty() || text.empty(), "a variable names a key", text);
}

void check_distance(std::string_view text) {
  const std::string_view a = text.substr(0, text.size() / 2);
  const std::string_view b = text.substr(text.size() / 2);
  const unsigned there = actord::base::edit_distance(a, b, 3);
  must(there == actord::base::edit_distance(b, a, 3), "the distance is the same in both directions",
       text);
  must((there == 0) == (a == b), "a distance of 0 means equal texts", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_units(text);
  check_numbers(text);
  check_paths(text);
  check_distance(text.substr(0, 200));
  hocon::parse_bool(text);
  return 0;
}
