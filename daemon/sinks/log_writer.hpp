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
#include <future>
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
  int complaints_fd = -1;               // see FdSink; not used with a sink of spdlog
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

/// Threads: start(), drain() and everything that stops by one thread; failures() by any.
class LogWriter {
 public:
  /// For how long the end waits for a reader that takes nothing: 3 s. One that takes something,
  /// however slowly, gets everything.
  static constexpr std::int64_t last_patience_ns = 3'000'000'000;

  /// The hub must outlive the writer. A hub has one writer at a time.
  LogWriter(log::Hub& hub, LogWriterOptions options);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Starts the thread. It blocks all signals that can be blocked sensibly.
  void start();
  /// Begins the end and returns: everything emitted before the call is still written, as long as
  /// the descriptor takes something; what it does not take is counted, and said of in a complaint.
  /// Then `on_written` is called on the writer's thread. Without start() all of it happens in this
  /// call. Calling it again does nothing.
  void begin_stop(std::function<void()> on_written = {});
  /// begin_stop(), and waits for the end of the thread; nothing is written after it. Calling it
  /// again does nothing.
  void stop();
  /// stop() in a hurry, once: for as long as `ns`, and a tenth of it for who takes nothing. False
  /// if the thread is still writing then, which is to be followed by the end of the process.
  bool stop_within(std::int64_t ns);
  /// Writes what there is on the calling thread and returns the number of records; while no thread
  /// runs.
  std::size_t drain();

  WriteFailures failures() const noexcept;

 private:
  void run();
  std::size_t drain_batches(bool everything);
  void take(const log::Record& record);
  void write_batch();
  void finish();

  log::Hub& hub_;
  const std::size_t batch_bytes_;
  WallTime wall_;
  std::unique_ptr<LineFormat> format_;
  FdSink* fd_sink_ = nullptr;  // when it is ours
  spdlog::sink_ptr sink_;
  LineBuffer batch_;
  std::atomic<std::uint64_t> failed_batches_{0};
  // The release of `is_stopping_` in begin_stop() pairs with the acquire in run(): the thread sees
  // `on_written_`, which it calls at its end.
  std::atomic<bool> is_stopping_{false};
  bool is_stopped_ = false;
  std::function<void()> on_written_;
  std::promise<void> finished_;
  std::thread thread_;
};

}  // namespace actord::sinks
