// SPDX-License-Identifier: Apache-2.0
#include "hocon/units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "hocon/diagnostic.hpp"
#include "hocon/unicode.hpp"

namespace actord::hocon {

namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::uint64_t second = 1'000'000'000;
constexpr Unit duration_units[] = {
    {"", 1'000'000},
    {"ns", 1},
    {"nano", 1},
    {"nanos", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
    {"us", 1000},
    {"micro", 1000},
    {"micros", 1000},
    {"microsecond", 1000},
    {"microseconds", 1000},
    {"ms", 1'000'000},
    {"milli", 1'000'000},
    {"millis", 1'000'000},
    {"millisecond", 1'000'000},
    {"milliseconds", 1'000'000},
    {"s", second},
    {"second", second},
    {"seconds", second},
    {"m", 60 * second},
    {"minute", 60 * second},
    {"minutes", 60 * second},
    {"h", 3600 * second},
    {"hour", 3600 * second},
    {"hours", 3600 * second},
    {"d", 86'400 * second},
    {"day", 86'400 * second},
    {"days", 86'400 * second},
};

constexpr std::uint64_t kilo = 1000;
constexpr std::uint64_t mega = kilo * kilo;
constexpr std::uint64_t giga = kilo * mega;
constexpr std::uint64_t kibi = 1024;
constexpr Unit byte_units[] = {
    {"", 1},
    {"B", 1},
    {"b", 1},
    {"byte", 1},
    {"bytes", 1},
    {"kB", kilo},
    {"kilobyte", kilo},
    {"kilobytes", kilo},
    {"MB", mega},
    {"megabyte", mega},
    {"megabytes", mega},
    {"GB", giga},
    {"gigabyte", giga},
    {"gigabytes", giga},
    {"TB", 1'000'000'000'000},
    {"terabyte", 1'000'000'000'000},
    {"terabytes", 1'000'000'000'000},
    {"PB", 1'000'000'000'000'000},
    {"petabyte", 1'000'000'000'000'000},
    {"petabytes", 1'000'000'000'000'000},
    {"EB", 1'000'000'000'000'000'000},
    {"exabyte", 1'000'000'000'000'000'000},
    {"exabytes", 1'000'000'000'000'000'000},
    {"K", kibi},
    {"k", kibi},
    {"Ki", kibi},
    {"KiB", kibi},
    {"kibibyte", kibi},
    {"kibibytes", kibi},
    {"M", 1ULL << 20U},
    {"m", 1ULL << 20U},
    {"Mi", 1ULL << 20U},
    {"MiB", 1ULL << 20U},
    {"mebibyte", 1ULL << 20U},
    {"mebibytes", 1ULL << 20U},
    {"G", 1ULL << 30U},
    {"g", 1ULL << 30U},
    {"Gi", 1ULL << 30U},
    {"GiB", 1ULL << 30U},
    {"gibibyte", 1ULL << 30U},
    {"gibibytes", 1ULL << 30U},
    {"T", 1ULL << 40U},
    {"t", 1ULL << 40U},
    {"Ti", 1ULL << 40U},
    {"TiB", 1ULL << 40U},
    {"tebibyte", 1ULL << 40U},
    {"tebibytes", 1ULL << 40U},
    {"P", 1ULL << 50U},
    {"p", 1ULL << 50U},
    {"Pi", 1ULL << 50U},
    {"PiB", 1ULL << 50U},
    {"pebibyte", 1ULL << 50U},
    {"pebibytes", 1ULL << 50U},
    {"E", 1ULL << 60U},
    {"e", 1ULL << 60U},
    {"Ei", 1ULL << 60U},
    {"EiB", 1ULL << 60U},
    {"exbibyte", 1ULL << 60U},
    {"exbibytes", 1ULL << 60U},
};

// Units beyond 1024^6. They are known so that the error is "too large" and not "unknown unit".
constexpr std::string_view huge_byte_units[] = {
    "ZB", "zettabyte", "zettabytes", "YB",  "yottabyte", "yottabytes",
    "Z",  "z",         "Zi",         "ZiB", "zebibyte",  "zebibytes",
    "Y",  "y",         "Yi",         "YiB", "yobibyte",  "yobibytes",
};

constexpr std::string_view duration_help =
    "units are ns us ms s m h d, or their names: nanos micros millis seconds minutes hours days";
constexpr std::string_view bytes_help =
    "units are B, k K Ki KiB M Mi MiB G ... (1024) and kB MB GB ... (1000)";

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

struct Split {
  std::string_view number;
  std::string_view unit;
};

/// Splits a text into number and unit; the unit is the run of letters at the end.
Split split(std::string_view text) noexcept {
  text = unicode::trimmed(text);
  std::size_t unit = text.size();
  while (unit > 0 && is_letter(text[unit - 1])) --unit;
  // A non-ASCII blank before the unit consists of bytes that look like letters.
  std::string_view name = unicode::trimmed(text.substr(unit));
  return {unicode::trimmed(text.substr(0, unit)), name};
}

const Unit* find(const Unit* begin, const Unit* end, std::string_view name) noexcept {
  const Unit* found = std::find_if(begin, end, [&](const Unit& unit) { return unit.name == name; });
  return found == end ? nullptr : found;
}

base::Error error(std::string what, std::string_view help) {
  return {std::move(what.append("; ").append(help))};
}

/// The parts of a decimal number: sign, digits without the point, and the power of ten that scales
/// them.
struct Decimal {
  bool negative = false;
  std::uint64_t digits = 0;  // the first 19 or 20 significant digits
  int exponent = 0;
};

/// Parses [+-] digits [. digits] [e [+-] digits]. The digits on one side of the point may be
/// missing.
std::optional<Decimal> parse_decimal(std::string_view text) noexcept {
  Decimal decimal;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-'))
    decimal.negative = text[at++] == '-';
  bool any = false;
  bool point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    const bool room = decimal.digits <= (UINT64_MAX - 9) / 10;
    if (room) decimal.digits = decimal.digits * 10 + static_cast<unsigned>(text[at] - '0');
    if (decimal.exponent > -100'000 && decimal.exponent < 100'000)
      decimal.exponent += (room ? 0 : 1) - (point ? 1 : 0);
  }
  if (!any) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    int exponent = 0;
    const auto [end, failed] =
        std::from_chars(text.data() + at, text.data() + text.size(), exponent);
    if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    decimal.exponent += std::clamp(exponent, -100'000, 100'000);
    at = text.size();
  }
  return at == text.size() ? std::optional(decimal) : std::nullopt;
}

/// digits × factor × 10^exponent, with the fraction cut off; nothing beyond about 2^124.
std::optional<Wide> scaled(const Decimal& decimal, std::uint64_t factor) noexcept {
  Wide value = Wide(decimal.digits) * factor;
  for (int i = decimal.exponent; i < 0 && value != 0; ++i) value /= 10;
  for (int i = 0; i < decimal.exponent && value != 0; ++i) {
    if (value > (Wide(1) << 120U)) return std::nullopt;
    value *= 10;
  }
  return value;
}

}  // namespace

bool is_json_number(std::string_view text) noexcept {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool zero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  if (!is_json_number(text)) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed == std::errc() && end == text.data() + text.size()) return value;
  // 3.0 and 1e3 are integers, too; 3.5 is not.
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  const std::optional<Wide> whole = scaled(*decimal, 1);
  if (!whole || *whole > Wide(INT64_MAX)) return std::nullopt;
  Decimal fraction = *decimal;
  for (; fraction.exponent < 0 && fraction.digits != 0; ++fraction.exponent) {
    if (fraction.digits % 10 != 0) return std::nullopt;
    fraction.digits /= 10;
  }
  value = static_cast<std::int64_t>(*whole);
  return decimal->negative ? -value : value;
}

std::optional<double> parse_number(std::string_view text) noexcept {
  if (!is_json_number(text)) return std::nullopt;
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed == std::errc::result_out_of_range) {  // too small: 0; too large: nothing
    const std::optional<Decimal> decimal = parse_decimal(text);
    if (decimal && decimal->exponent < 0) return 0.0;
  }
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) noexcept {
  if (text == "true" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "no" || text == "off") return false;
  return std::nullopt;
}

base::Result<std::int64_t> parse_duration_ns(std::string_view text) {
  const auto [number, name] = split(text);
  const Unit* unit = find(std::begin(duration_units), std::end(duration_units), name);
  const std::optional<Decimal> decimal = parse_decimal(number);
  if (!decimal || unit == nullptr) {
    return error("expected a duration, got " + quoted_for_message(text), duration_help);
  }
  if (decimal->exponent == 0) {
    const Wide whole = Wide(decimal->digits) * unit->factor;
    const Wide most = Wide(INT64_MAX) + (decimal->negative ? 1 : 0);
    if (whole <= most)
      return static_cast<std::int64_t>(decimal->negative ? Wide(0) - whole : whole);
  } else {
    // 0.01666666666666666666666m is meant to be one second, so a value this close to a whole number
    // is rounded to it.
    constexpr long double near = 1e-6L;
    const long double power = std::pow(10.0L, static_cast<long double>(decimal->exponent));
    const long double exact =
        static_cast<long double>(decimal->digits) * static_cast<long double>(unit->factor) * power;
    const long double rounded = std::nearbyint(exact);
    const long double value = std::fabs(exact - rounded) < near ? rounded : std::trunc(exact);
    if (value <= static_cast<long double>(INT64_MAX)) {
      const auto ns = static_cast<std::int64_t>(value);
      return decimal->negative ? -ns : ns;
    }
  }
  return error("a duration of " + quoted_for_message(text) + " is too long",
               "the most is about 292 years");
}

base::Result<std::int64_t> parse_bytes(std::string_view text) {
  const auto [number, name] = split(text);
  const Unit* unit = find(std::begin(byte_units), std::end(byte_units), name);
  const std::optional<Decimal> decimal = parse_decimal(number);
  const bool huge = std::find(std::begin(huge_byte_units), std::end(huge_byte_units), name) !=
                    std::end(huge_byte_units);
  if (!decimal || (unit == nullptr && !huge)) {
    return error("expected a size in bytes, got " + quoted_for_message(text), bytes_help);
  }
  if (decimal->negative && decimal->digits != 0) {
    return error("a size cannot be negative, got " + quoted_for_message(text), bytes_help);
  }
  const std::optional<Wide> bytes = huge ? std::nullopt : scaled(*decimal, unit->factor);
  if (bytes && *bytes <= Wide(INT64_MAX)) return static_cast<std::int64_t>(*bytes);
  return error("a size of " + quoted_for_message(text) + " is too large",
               "the most is just below 8 EiB");
}

base::Result<Period> parse_period(std::string_view text) {
  const auto [number, name] = split(text);
  constexpr std::string_view help = "units are d w m mo y, or days weeks months years";
  std::string_view digits = number;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int32_t count = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const auto is = [name = name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (failed == std::errc() && end == digits.data() + digits.size() && !digits.empty()) {
    if (is({"", "d", "day", "days"})) return Period{0, 0, count};
    if (is({"w", "week", "weeks"}) && std::abs(count) <= INT32_MAX / 7)
      return Period{0, 0, count * 7};
    if (is({"m", "mo", "month", "months"})) return Period{0, count, 0};
    if (is({"y", "year", "years"})) return Period{count, 0, 0};
  }
  return error("expected a period, got " + quoted_for_message(text), help);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::string_view units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  std::size_t unit = 0;
  for (; bytes != 0 && bytes % 1024 == 0 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return std::to_string(bytes).append(units[unit]);
}

std::string to_string(const Period& period) {
  std::string text = "P";
  if (period.years != 0) text.append(std::to_string(period.years)).append("Y");
  if (period.months != 0) text.append(std::to_string(period.months)).append("M");
  if (period.days != 0 || text.size() == 1) text.append(std::to_string(period.days)).append("D");
  return text;
}

std::optional<std::string> key_of_environment_name(std::string_view name) {
  std::string key;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_not_of('_', at), name.size());
    switch (end - at) {
      case 0: key.push_back(name[at++]); continue;
      case 1: key.push_back('.'); break;
      case 2: key.push_back('-'); break;
      case 3: key.push_back('_'); break;
      default: return std::nullopt;
    }
    at = end;
  }
  return key;
}

}  // namespace actord::hocon
