// SPDX-License-Identifier: Apache-2.0
//
// The spdlog sink for a file descriptor. Each payload is a batch of complete lines, on a terminal
// perhaps with the line of progress at its end, and is written unchanged.
//
// spdlog's own stdout sinks use stdio and do not report failed writes. This sink counts them and
// reports the first one.
#pragma once

#include <spdlog/sinks/sink.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sinks/fd_writer.hpp"

namespace actord::sinks {

/// Threads: log() and report_losses() by one thread at a time; everything else by any.
class FdSink final : public spdlog::sinks::sink {
 public:
  /// The caller keeps the descriptors open while the sink lives. One line on `error_fd`
  /// reports that writing fails and why, and one that it works again; -1: no reports.
  explicit FdSink(int fd, int error_fd = -1) : fd_(fd), error_fd_(error_fd), writer_(fd) {}

  /// Writes the whole payload, and waits for a slow reader. Bytes that cannot be written (reader
  /// gone, disk full) are counted as lost, and so are, after set_timeout(), bytes that are not
  /// accepted in time.
  void log(const spdlog::details::log_msg& message) override;
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  /// See FdWriter::set_timeout().
  void set_timeout(std::int64_t ns) noexcept { writer_.set_timeout(ns); }
  /// Called at the end: if writing still fails, reports the lines lost since it began to fail, and
  /// `unformatted` records that never became lines.
  void report_losses(std::uint64_t unformatted);

  std::uint64_t failed_writes() const noexcept {
    return failed_writes_.load(std::memory_order_relaxed);
  }
  std::uint64_t lost_lines() const noexcept { return lost_lines_.load(std::memory_order_relaxed); }

 private:
  FdWriter::Written write(std::string_view text) noexcept;
  void fail(std::string_view lost, int error);
  std::uint64_t lines_lost_in_failure() const noexcept { return lost_lines() - lost_before_; }
  void report(const std::string& what) const;

  const int fd_;
  const int error_fd_;
  FdWriter writer_;
  bool is_torn_ = false;           // a failed write cut off a line
  int error_ = 0;                  // errno of the current failure; 0: the last write succeeded
  std::uint64_t lost_before_ = 0;  // lost_lines() when the current failure began
  std::atomic<std::uint64_t> failed_writes_{0};
  std::atomic<std::uint64_t> lost_lines_{0};
};

}  // namespace actord::sinks
