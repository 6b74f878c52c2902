// SPDX-License-Identifier: Apache-2.0
//
// Waits until a descriptor takes something, with a time limit that another thread may set.
#pragma once

#include <atomic>
#include <cstdint>

namespace actord::sinks {

/// Threads: set_timeout() by any; everything else by the thread that writes.
class WriteWait {
 public:
  /// From now on a wait ends at the latest `ns` after the last progress, or after this call if that
  /// is later. 0: wait() does not wait. Without this call there is no limit.
  void set_timeout(std::int64_t ns) noexcept;
  /// From now on a wait ends at that time of the monotonic clock, in ns, whatever the progress is.
  void set_end(std::int64_t at_ns) noexcept { end_ns_ = at_ns; }

  /// The descriptor has taken something.
  void note_progress() noexcept;
  /// Waits until the descriptor is writable or has an error; false: the time limit has passed.
  bool wait(int fd) noexcept;
  /// Whether the last wait() returned false, and there was no progress since.
  bool has_timed_out() const noexcept { return has_timed_out_; }

 private:
  bool becomes_writable(int fd) noexcept;
  int left_ms() const noexcept;

  bool has_waited_without_progress_ = false;
  bool has_timed_out_ = false;
  std::int64_t progress_ns_ = 0;
  std::int64_t end_ns_ = INT64_MAX;
  // The release store to `timeout_ns_` in set_timeout() pairs with the acquire load in
  // left_ms(): a thread that sees the limit also sees `timeout_set_ns_`.
  std::atomic<std::int64_t> timeout_set_ns_{0};
  std::atomic<std::int64_t> timeout_ns_{-1};  // negative: no limit
};

}  // namespace actord::sinks
