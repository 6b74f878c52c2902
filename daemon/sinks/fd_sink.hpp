// SPDX-License-Identifier: Apache-2.0
//
// The spdlog sink for a file descriptor: each payload is a batch of whole lines, written as it is.
//
// spdlog's own stdout sinks go through stdio and do not say whether a write succeeded; this one
// counts, and says once what is wrong.
#pragma once

#include <spdlog/sinks/sink.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sinks/fd_writer.hpp"

namespace actord::sinks {

/// Threads: log() and complain_of_losses() by one thread at a time; everything else by any.
class FdSink final : public spdlog::sinks::sink {
 public:
  /// The descriptors stay the caller's and must outlive the sink. On `complaints_fd`, for people,
  /// one line says that writing fails and why, and one that it works again; -1: nobody is told.
  explicit FdSink(int fd, int complaints_fd = -1)
      : fd_(fd), complaints_fd_(complaints_fd), writer_(fd) {}

  /// Writes the payload, whole, and waits for a reader that does not read. What the descriptor
  /// refuses (reader gone, disk full) is counted and given up; so is, once patience is limited,
  /// what it does not take.
  void log(const spdlog::details::log_msg& message) override;
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  /// See FdWriter.
  void limit_patience(std::int64_t ns) noexcept { writer_.limit_patience(ns); }
  /// Says at the end, if writing fails then, what is lost for good: the lines since it began to
  /// fail, and `unformatted` records that never became lines.
  void complain_of_losses(std::uint64_t unformatted);

  std::uint64_t failed_writes() const noexcept {
    return failed_writes_.load(std::memory_order_relaxed);
  }
  std::uint64_t lost_lines() const noexcept { return lost_lines_.load(std::memory_order_relaxed); }

 private:
  FdWriter::Written write(std::string_view text) noexcept;
  void fail(std::string_view lost, int error);
  std::uint64_t lost_since() const noexcept { return lost_lines() - lost_before_; }
  void complain(const std::string& what) const;

  const int fd_;
  const int complaints_fd_;
  FdWriter writer_;
  bool is_torn_ = false;  // the last line that went out has no end
  int error_ = 0;         // errno of the writes that fail at present
  std::uint64_t lost_before_ = 0;
  std::atomic<std::uint64_t> failed_writes_{0};
  std::atomic<std::uint64_t> lost_lines_{0};
};

}  // namespace actord::sinks
