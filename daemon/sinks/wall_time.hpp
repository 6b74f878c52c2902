// SPDX-License-Identifier: Apache-2.0
//
// From the monotonic stamps of records to the time of day: the one place where the wall clock is
// asked.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include "sinks/line_buffer.hpp"
#include "sinks/line_text.hpp"

namespace actord::sinks {

/// The distance between the monotonic clock of the records and the wall clock.
///
/// It changes only when somebody sets the wall clock; differences below a millisecond are taken for
/// the jitter of looking, so that times on the lines do not run backwards.
class WallTime {
 public:
  using Clock = std::function<std::int64_t()>;  // ns

  /// `wall` counts from 1970 in UTC.
  WallTime(Clock monotonic, Clock wall);

  /// Looks at both clocks. Once per batch.
  void refresh();
  std::int64_t at(std::int64_t stamp_ns) const noexcept { return stamp_ns + offset_ns_; }

 private:
  Clock monotonic_;
  Clock wall_;
  std::int64_t offset_ns_ = 0;
  bool is_known_ = false;
};

/// "2024-05-01T10:32:01.123456Z" of ns since 1970. Keeps the second, which most lines share.
class UtcText {
 public:
  static constexpr std::size_t size = 27;

  /// Writes it to room for `size` characters and the slack of a line buffer; returns the end.
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
  static constexpr std::size_t fraction = 20;  // where it begins

  char* put_new_second(char* to, std::int64_t wall_ns) noexcept;

  std::uint64_t second_ns_ = ~std::uint64_t{0} / 2;  // when it began; at first far away
  char text_[LineBuffer::slack] = {};
};

/// "10:32:01.123" in local time.
class LocalText {
 public:
  std::string_view operator()(std::int64_t wall_ns) noexcept;

 private:
  std::int64_t second_ = -1;
  char text_[12] = {};
};

}  // namespace actord::sinks
