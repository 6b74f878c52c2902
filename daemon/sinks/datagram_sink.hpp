// SPDX-License-Identifier: Apache-2.0
//
// The sink for a local socket that takes each record as a datagram: that of the journal or of
// syslog.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sinks/own_sink.hpp"
#include "sinks/sized_text.hpp"

namespace actord::sinks {

struct DatagramSinkOptions {
  std::string path;   // of the socket
  std::string place;  // what reports call it
  int error_fd = -1;  // as in FdSink
  std::string_view error_prefix = {};
  // How long a batch waits for a reader that is too slow, see DatagramWriter::begin_batch().
  // Negative: as long as it takes.
  std::int64_t batch_wait_ns = -1;
};

/// `Writer` is a JournalWriter or a SyslogWriter.
template <class Writer>
class DatagramSink final : public OwnSink {
 public:
  explicit DatagramSink(DatagramSinkOptions options)
      : OwnSink({.place = std::move(options.place),
                 .items = "records",
                 .error_fd = options.error_fd,
                 .error_prefix = options.error_prefix,
                 .reports_time_outs = options.batch_wait_ns >= 0}),
        batch_wait_ns_(options.batch_wait_ns),
        writer_(std::move(options.path)) {}

  /// Each payload is a batch of sized texts. Sends them in their order. One that cannot be sent (no
  /// reader, or no room in time) is counted as lost; each one is a new attempt.
  void log(const spdlog::details::log_msg& message) override {
    std::string_view batch(message.payload.data(), message.payload.size());
    if (batch_wait_ns_ >= 0) writer_.begin_batch(batch_wait_ns_);
    for (;;) {
      const std::string_view record = next_sized(batch);
      if (record.empty()) return;
      if (const int error = writer_.write(record); error == 0) losses_.succeeded();
      else losses_.failed(error, 1);
    }
  }
  void set_timeout(std::int64_t ns) noexcept override { writer_.set_timeout(ns); }

 private:
  const std::int64_t batch_wait_ns_;
  Writer writer_;
};

}  // namespace actord::sinks
