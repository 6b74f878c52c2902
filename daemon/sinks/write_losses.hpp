// SPDX-License-Identifier: Apache-2.0
//
// Counts what a sink could not write. Reports on another descriptor that writing fails and why,
// that it works again, and at the end how much is lost.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace actord::sinks {

struct WriteLossesOptions {
  std::string place;       // "standard output"
  std::string_view items;  // what is lost, in the plural: "lines"
  /// Gets the reports, one line each; -1: no reports. Owned by the caller.
  int error_fd = -1;
  std::string_view error_prefix = {};  // what a report begins with, such as "<3>"
  /// Time-outs are reported like other failures. False: they occur only at a stop.
  bool reports_time_outs = false;
};

/// Threads: failed_writes() and lost() by any; everything else by one thread at a time.
class WriteLosses {
 public:
  explicit WriteLosses(WriteLossesOptions options) : options_(std::move(options)) {}

  /// A write has failed with that errno, and these items are lost. The first failure is reported;
  /// a time-out at a stop is not, see report_at_end().
  void failed(int error, std::uint64_t items);
  /// A write has succeeded.
  void succeeded() {
    if (error_ != 0) [[unlikely]]
      report_recovery();
  }
  /// If writing still fails, reports the items lost since it began to fail, and `unformatted`
  /// records that never reached the sink.
  void report_at_end(std::uint64_t unformatted);

  /// Reports something by which nothing is lost yet.
  void warn(const std::string& what) const { report(what); }

  std::uint64_t failed_writes() const noexcept {
    return failed_writes_.load(std::memory_order_relaxed);
  }
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  void report_recovery();
  std::string counted(std::uint64_t n, std::string_view one, std::string_view more) const;
  std::uint64_t lost_in_failure() const noexcept { return lost() - lost_before_; }
  void report(const std::string& what) const;

  const WriteLossesOptions options_;
  int error_ = 0;                  // errno of the current failure; 0: the last write succeeded
  std::uint64_t lost_before_ = 0;  // lost() when the current failure began
  std::atomic<std::uint64_t> failed_writes_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace actord::sinks
