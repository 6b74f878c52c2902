// SPDX-License-Identifier: Apache-2.0
//
// What the sinks of actord have beyond those of spdlog: a time limit for the stop, and an account
// of what they could not write.
#pragma once

#include <spdlog/sinks/sink.h>

#include <cstdint>
#include <memory>
#include <string>

#include "sinks/write_losses.hpp"

namespace actord::sinks {

/// Threads: log() and report_losses() by one thread at a time; everything else by any.
class OwnSink : public spdlog::sinks::sink {
 public:
  /// From now on a write waits at most `ns` after its reader has taken something; see WriteWait.
  virtual void set_timeout(std::int64_t ns) noexcept = 0;

  /// Opens its file again. Any thread. False: it has none.
  virtual bool reopen() noexcept { return false; }

  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  /// See WriteLosses::report_at_end().
  void report_losses(std::uint64_t unformatted) { losses_.report_at_end(unformatted); }
  std::uint64_t failed_writes() const noexcept { return losses_.failed_writes(); }
  /// Lines, or records that a socket did not take.
  std::uint64_t lost_lines() const noexcept { return losses_.lost(); }

 protected:
  explicit OwnSink(WriteLossesOptions losses) : losses_(std::move(losses)) {}

  WriteLosses losses_;
};

}  // namespace actord::sinks
