// SPDX-License-Identifier: Apache-2.0
//
// Converts the records' monotonic time stamps to the time of day. All lines of the log get their
// time here; only the record of a crash reads the wall clock itself (app/crash_record).
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "sinks/line_buffer.hpp"
#include "sinks/line_text.hpp"

namespace actord::sinks {

/// The time since 1970 in ns, by the system's clock. Async-signal-safe.
std::int64_t system_clock_ns() noexcept;

/// The offset between the records' monotonic clock and the wall clock.
///
/// The offset changes only when the wall clock is set. Differences below a millisecond are
/// measuring errors and are ignored, so that times in the log do not run backwards.
class WallTime {
 public:
  using Clock = std::function<std::int64_t()>;  // ns

  /// `wall` returns the time since 1970 in UTC.
  WallTime(Clock monotonic, Clock wall);

  /// Reads both clocks. Called once per batch.
  void refresh();
  std::int64_t at(std::int64_t stamp_ns) const noexcept { return stamp_ns + offset_ns_; }

 private:
  Clock monotonic_;
  Clock wall_;
  std::int64_t offset_ns_ = 0;
  bool is_known_ = false;
};

/// Formats ns since 1970 as "2024-05-01T10:32:01.123456Z". The text of the last second is kept,
/// because most lines share it.
class UtcText {
 public:
  static constexpr std::size_t size = 27;

  /// Writes the time to `to`, which has room for `size` characters and LineBuffer::slack; returns
  /// the end.
  char* put(char* to, std::int64_t wall_ns) noexcept {
    const std::uint64_t in_second = static_cast<std::uint64_t>(wall_ns) - second_ns_;
    if (in_second >= ns_per_s) [[unlikely]]
      return put_new_second(to, wall_ns);
    std::memcpy(to, text_, sizeof text_);
    put_six_digits(to + fraction, static_cast<std::uint32_t>(in_second / 1000));
    return to + size;
  }

 private:
  static constexpr std::uint64_t ns_per_s = 1'000'000'000;
  static constexpr std::size_t fraction = 20;  // index of the fraction

  char* put_new_second(char* to, std::int64_t wall_ns) noexcept;

  // start of the second in `text_`; the initial value is no such second
  std::uint64_t second_ns_ = ~std::uint64_t{0} / 2;
  char text_[LineBuffer::slack] = {};
};

/// One such text. Where there are many, a UtcText is quicker.
std::string utc_text(std::int64_t wall_ns);

/// Formats a time as "10:32:01.123" in local time.
class LocalText {
 public:
  std::string_view operator()(std::int64_t wall_ns) noexcept;

 private:
  std::int64_t second_ = -1;
  char text_[12] = {};
};

/// Formats a time as "Nov  6 10:32:01" in local time, as syslog(3) does.
class SyslogTime {
 public:
  std::string_view operator()(std::int64_t wall_ns) noexcept;

 private:
  std::int64_t second_ = -1;
  char text_[15] = {};
};

}  // namespace actord::sinks
