// SPDX-License-Identifier: Apache-2.0
//
// The sink thread: drains the hub, formats, writes one batch at a time.
//
// Nobody waits for it: when it cannot keep up, the rings fill and the hub counts.
#pragma once

#include <spdlog/sinks/sink.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "log/hub.hpp"
#include "sinks/fd_sink.hpp"
#include "sinks/line_buffer.hpp"
#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// `automatic` is console on a terminal, else json.
enum class Format { automatic, json, console };
/// `automatic` colours on a terminal, unless the environment has NO_COLOR.
enum class Colour { automatic, always, never };

/// "auto", "json" or "console".
std::optional<Format> format_named(std::string_view name) noexcept;

struct LogWriterOptions {
  Format format = Format::automatic;
  Colour colour = Colour::automatic;
  std::string system_name;
  std::string boot_id;
  int fd = 1;                           // stays the caller's
  std::size_t batch_bytes = 64 * 1024;  // written at the latest when this much is formatted
  /// Instead of `fd`, any sink of spdlog (a rotating file): it is given whole lines and its
  /// formatter is set.
  spdlog::sink_ptr sink;
  /// ns since 1970; the system's clock if empty.
  std::function<std::int64_t()> wall_clock;
};

/// Whether these options come to JSON lines.
bool is_json(const LogWriterOptions& options) noexcept;

/// What did not reach the output.
struct WriteFailures {
  std::uint64_t failed_writes = 0;
  std::uint64_t lost_lines = 0;  // not known, and 0, with a sink of spdlog
};

/// Threads: start(), stop() and drain() by one thread; failures() by any.
class LogWriter {
 public:
  /// The hub must outlive the writer. A hub has one writer at a time.
  LogWriter(log::Hub& hub, LogWriterOptions options);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Starts the thread. It blocks all signals that can be blocked sensibly.
  void start();
  /// Writes everything emitted before the call, ends the thread and returns; nothing is written
  /// after it. Without start() it writes on the calling thread. Calling it again does nothing. A
  /// blocking descriptor that takes nothing any more holds it up.
  void stop();
  /// Writes what there is on the calling thread and returns the number of records; while no thread
  /// runs.
  std::size_t drain();

  WriteFailures failures() const noexcept;

 private:
  void run();
  std::size_t drain_batches(bool everything);
  void take(const log::Record& record);
  void write_batch();

  log::Hub& hub_;
  const std::size_t batch_bytes_;
  WallTime wall_;
  std::unique_ptr<LineFormat> format_;
  FdSink* fd_sink_ = nullptr;  // when it is ours
  spdlog::sink_ptr sink_;
  LineBuffer batch_;
  std::atomic<std::uint64_t> failed_batches_{0};
  std::atomic<bool> is_stopping_{false};
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace actord::sinks
