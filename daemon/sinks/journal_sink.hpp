// SPDX-License-Identifier: Apache-2.0
//
// The sink for the journal. Each payload is a batch from JournalEntries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinks/journal_writer.hpp"
#include "sinks/own_sink.hpp"

namespace actord::sinks {

class JournalSink final : public OwnSink {
 public:
  /// `path` is that of the journal's socket. As with FdSink, what goes wrong is reported on
  /// `error_fd`.
  explicit JournalSink(std::string path, int error_fd = -1, std::string_view error_prefix = {})
      : OwnSink({"the journal", "records", error_fd, error_prefix}), writer_(std::move(path)) {}

  /// Sends the entries in their order, and waits while the journal's queue is full. An entry that
  /// cannot be sent (no journal, or after set_timeout() no room in time) is counted as lost.
  void log(const spdlog::details::log_msg& message) override;
  void set_timeout(std::int64_t ns) noexcept override { writer_.set_timeout(ns); }

 private:
  JournalWriter writer_;
};

}  // namespace actord::sinks
