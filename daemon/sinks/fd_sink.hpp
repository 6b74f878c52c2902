// SPDX-License-Identifier: Apache-2.0
//
// The spdlog sink for a file descriptor. Each payload is a batch of complete lines, on a terminal
// perhaps with the line of progress at its end, and is written unchanged.
//
// spdlog's own stdout sinks use stdio and do not report failed writes. This sink counts them and
// reports the first one.
#pragma once

#include <cstdint>
#include <string_view>

#include "sinks/fd_writer.hpp"
#include "sinks/own_sink.hpp"

namespace actord::sinks {

class FdSink final : public OwnSink {
 public:
  /// The caller keeps the descriptors open while the sink lives. One line on `error_fd`
  /// reports that writing fails and why, and one that it works again; -1: no reports. Each begins
  /// with `error_prefix`.
  explicit FdSink(int fd, int error_fd = -1, std::string_view error_prefix = {});

  /// Writes the whole payload, and waits for a slow reader. Bytes that cannot be written (reader
  /// gone, disk full) are counted as lost, and so are, after set_timeout(), bytes that are not
  /// accepted in time.
  void log(const spdlog::details::log_msg& message) override;
  void set_timeout(std::int64_t ns) noexcept override { writer_.set_timeout(ns); }

 private:
  FdWriter::Written write(std::string_view text) noexcept;

  FdWriter writer_;
  bool is_torn_ = false;  // a failed write cut off a line
};

}  // namespace actord::sinks
