// SPDX-License-Identifier: Apache-2.0
//
// From the monotonic stamps of records to the time of day: the one place where the wall clock is
// asked.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

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
  std::string_view operator()(std::int64_t wall_ns) noexcept;

 private:
  std::int64_t second_ = -1;
  char text_[27] = {};
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
