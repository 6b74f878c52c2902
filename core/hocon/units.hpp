// SPDX-License-Identifier: Apache-2.0
//
// Durations, sizes, periods, booleans and integers written as text, by HOCON's rules of conversion.
//
// Not here: which key wants which of them. All functions: any thread, no allocation unless they
// fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace actord::hocon {

/// Nanoseconds; a bare number is milliseconds. Fractions are cut off below a nanosecond. What does
/// not fit in 64 bits is an error.
base::Result<std::int64_t> parse_duration_ns(std::string_view text);

/// The other way round, as a person would say it: "90 s", "5 min", in the largest unit that leaves
/// no fraction.
std::string duration_text(std::int64_t ns);

/// Bytes; a bare number is bytes. Fractions of a byte are cut off; negative or beyond 64 bits is an
/// error.
base::Result<std::int64_t> parse_bytes(std::string_view text);

/// The other way round: "64 MiB", "1000 B", in the largest unit that leaves no fraction.
std::string bytes_text(std::int64_t bytes);

/// A span of the calendar: days, or months and years, as a count that no fraction can enter.
struct Period {
  std::int32_t years = 0;
  std::int32_t months = 0;
  std::int32_t days = 0;
};
base::Result<Period> parse_period(std::string_view text);

/// ISO 8601: "P1Y", "P12M", "P-1D", "P0D".
std::string to_string(const Period& period);

/// The six words: true yes on false no off.
std::optional<bool> parse_bool(std::string_view text) noexcept;

/// A JSON number without a fraction ("3", "3.0", "1e3") that fits; nothing otherwise.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

/// A finite JSON number; nothing otherwise.
std::optional<double> parse_number(std::string_view text) noexcept;

/// True when `text` is a number by JSON's grammar.
bool is_json_number(std::string_view text) noexcept;

/// The key that an environment variable's name stands for: one underscore is a dot, two a hyphen,
/// three an underscore; four or more mean nothing.
std::optional<std::string> key_of_environment_name(std::string_view name);

}  // namespace actord::hocon
