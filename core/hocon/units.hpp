// SPDX-License-Identifier: Apache-2.0
//
// Converts durations, sizes, periods, booleans and integers from text, by HOCON's rules.
//
// Not here: which key has which of these types. All functions: any thread. The parsers allocate
// memory only for errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace actord::hocon {

/// Nanoseconds; a bare number counts milliseconds. A fraction of a nanosecond is cut off. A
/// duration beyond 64 bits is an error.
base::Result<std::int64_t> parse_duration_ns(std::string_view text);

/// Bytes; a bare number counts bytes. A fraction of a byte is cut off. A negative size, or one
/// beyond 64 bits, is an error.
base::Result<std::int64_t> parse_bytes(std::string_view text);

/// The reverse, in the largest unit that needs no fraction: "64 MiB", "1000 B".
std::string bytes_text(std::int64_t bytes);

/// A calendar period: whole days, months or years.
struct Period {
  std::int32_t years = 0;
  std::int32_t months = 0;
  std::int32_t days = 0;
};
base::Result<Period> parse_period(std::string_view text);

/// The period in ISO 8601: "P1Y", "P12M", "P-1D", "P0D".
std::string to_string(const Period& period);

/// The boolean of one of the six words true, yes, on, false, no, off.
std::optional<bool> parse_bool(std::string_view text) noexcept;

/// The value of a JSON number without a fraction ("3", "3.0", "1e3") that fits; else nothing.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

/// The value of a finite JSON number; else nothing.
std::optional<double> parse_number(std::string_view text) noexcept;

/// True if `text` is a number in JSON's grammar.
bool is_json_number(std::string_view text) noexcept;

/// The key that the name of an environment variable stands for: one underscore is a dot, two are a
/// hyphen, three an underscore. Four or more are an error, and the result is nothing.
std::optional<std::string> key_of_environment_name(std::string_view name);

}  // namespace actord::hocon
