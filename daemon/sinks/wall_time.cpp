// SPDX-License-Identifier: Apache-2.0
//
// Writes times digit by digit: a general formatter would take longer than the rest of the line.
#include "sinks/wall_time.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace actord::sinks {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
constexpr std::int64_t jitter_ns = 1'000'000;

/// Writes `value` with `width` digits to `to`; returns the end.
char* digits(char* to, std::int64_t value, int width) noexcept {
  for (int i = width - 1; i >= 0; --i) {
    to[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return to + width;
}

std::tm local_time(std::int64_t second) noexcept {
  const std::time_t time = second;
  std::tm local{};
  ::localtime_r(&time, &local);
  return local;
}

/// Writes "10:32:01" to `to`; returns the end.
char* time_of_day(char* to, const std::tm& time) noexcept {
  to = digits(to, time.tm_hour, 2);
  *to++ = ':';
  to = digits(to, time.tm_min, 2);
  *to++ = ':';
  return digits(to, time.tm_sec, 2);
}

/// Seconds since 1970 and the nanoseconds within that second; also for times before 1970.
std::pair<std::int64_t, std::int64_t> split(std::int64_t wall_ns) noexcept {
  std::int64_t second = wall_ns / ns_per_s;
  std::int64_t rest = wall_ns % ns_per_s;
  if (rest < 0) {
    rest += ns_per_s;
    --second;
  }
  return {second, rest};
}

}  // namespace

std::int64_t system_clock_ns() noexcept {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

WallTime::WallTime(Clock monotonic, Clock wall)
    : monotonic_(std::move(monotonic)), wall_(std::move(wall)) {
  refresh();
}

void WallTime::refresh() {
  const std::int64_t before = monotonic_();
  const std::int64_t offset = wall_() - before;
  // If the thread was preempted between the two readings, the new offset is not used.
  const bool is_sharp = monotonic_() - before < jitter_ns;
  if (!is_known_ || (is_sharp && std::llabs(offset - offset_ns_) >= jitter_ns)) offset_ns_ = offset;
  is_known_ = true;
}

char* UtcText::put_new_second(char* to, std::int64_t wall_ns) noexcept {
  const auto [second, rest] = split(wall_ns);
  second_ns_ = static_cast<std::uint64_t>(wall_ns - rest);
  const std::chrono::sys_seconds at{std::chrono::seconds(second)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::int64_t in_day = (at - day).count();
  char* end = digits(text_, int{date.year()}, 4);
  *end++ = '-';
  end = digits(end, unsigned{date.month()}, 2);
  *end++ = '-';
  end = digits(end, unsigned{date.day()}, 2);
  *end++ = 'T';
  end = digits(end, in_day / 3600, 2);
  *end++ = ':';
  end = digits(end, in_day / 60 % 60, 2);
  *end++ = ':';
  end = digits(end, in_day % 60, 2);
  *end = '.';
  text_[size - 1] = 'Z';
  return put(to, wall_ns);
}

std::string utc_text(std::int64_t wall_ns) {
  char text[UtcText::size + LineBuffer::slack];
  return {text, UtcText().put(text, wall_ns)};
}

std::string_view LocalText::operator()(std::int64_t wall_ns) noexcept {
  const auto [second, rest] = split(wall_ns);
  if (second != second_) {
    second_ = second;
    *time_of_day(text_, local_time(second)) = '.';
  }
  digits(text_ + 9, rest / 1'000'000, 3);
  return {text_, sizeof text_};
}

std::string_view SyslogTime::operator()(std::int64_t wall_ns) noexcept {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::int64_t second = split(wall_ns).first;
  if (second != second_) {
    second_ = second;
    const std::tm local = local_time(second);
    months.copy(text_, 3, static_cast<std::size_t>(local.tm_mon) * 3);
    text_[3] = ' ';
    digits(text_ + 4, local.tm_mday, 2);
    if (text_[4] == '0') text_[4] = ' ';
    text_[6] = ' ';
    time_of_day(text_ + 7, local);
  }
  return {text_, sizeof text_};
}

}  // namespace actord::sinks
