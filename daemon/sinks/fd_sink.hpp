// SPDX-License-Identifier: Apache-2.0
//
// The spdlog sink for a file descriptor: each payload is a batch of whole lines, written as it is.
//
// spdlog's own stdout sinks go through stdio and do not say whether a write succeeded; this one
// counts.
#pragma once

#include <spdlog/sinks/sink.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace actord::sinks {

/// Threads: log() by one thread at a time; the counters by any.
class FdSink final : public spdlog::sinks::sink {
 public:
  /// The descriptor stays the caller's and must outlive the sink.
  explicit FdSink(int fd) : fd_(fd) {}

  /// Writes the payload, whole. What the descriptor refuses (reader gone, disk full, a reader that
  /// takes nothing for a second from a non-blocking descriptor) is counted and given up.
  void log(const spdlog::details::log_msg& message) override;
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  std::uint64_t failed_writes() const noexcept {
    return failed_writes_.load(std::memory_order_relaxed);
  }
  std::uint64_t lost_lines() const noexcept { return lost_lines_.load(std::memory_order_relaxed); }

 private:
  /// The number of bytes written; less than all of them means that it failed.
  std::size_t write(std::string_view text) noexcept;

  const int fd_;
  bool is_torn_ = false;  // the last line that went out has no end
  std::atomic<std::uint64_t> failed_writes_{0};
  std::atomic<std::uint64_t> lost_lines_{0};
};

}  // namespace actord::sinks
