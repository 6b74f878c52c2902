// SPDX-License-Identifier: Apache-2.0
//
// The format has fixed columns, which both functions use.
#include "http_date.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace static_site {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
//                                     0         1         2
//                                     01234567890123456789012345678
constexpr std::string_view sample = "Sun, 06 Nov 1994 08:49:37 GMT";

std::optional<int> number_at(std::string_view text, std::size_t from, std::size_t size) {
  int value = 0;
  for (const char c : text.substr(from, size)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool has_marks(std::string_view text) {
  constexpr std::string_view marks = ", :";
  for (std::size_t i = 3; i < text.size(); ++i) {
    const bool is_mark = marks.find(sample[i]) != std::string_view::npos;
    if (is_mark && text[i] != sample[i]) return false;
  }
  return text.ends_with(" GMT");
}

}  // namespace

std::string http_date(chrono::sys_seconds time) {
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss clock{time - day};
  const std::string_view name = days[chrono::weekday{day}.c_encoding()];
  const std::string_view month = months[static_cast<unsigned>(date.month()) - 1];
  std::array<char, 64> text{};
  const int size = std::snprintf(
      text.data(), text.size(), "%.3s, %02u %.3s %04d %02d:%02d:%02d GMT", name.data(),
      static_cast<unsigned>(date.day()), month.data(), static_cast<int>(date.year()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

std::optional<chrono::sys_seconds> parse_http_date(std::string_view text) {
  if (text.size() != sample.size() || !has_marks(text)) return std::nullopt;
  const auto month = std::ranges::find(months, text.substr(8, 3));
  const auto day = number_at(text, 5, 2);
  const auto year = number_at(text, 12, 4);
  const auto hour = number_at(text, 17, 2);
  const auto minute = number_at(text, 20, 2);
  const auto second = number_at(text, 23, 2);
  if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  const chrono::year_month_day date{
      chrono::year{*year}, chrono::month{static_cast<unsigned>(month - months.begin()) + 1},
      chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return chrono::sys_days{date} + chrono::hours{*hour} + chrono::minutes{*minute} +
         chrono::seconds{*second};
}

}  // namespace static_site
