// SPDX-License-Identifier: Apache-2.0
//
// The sink thread: drains the hub, formats the records, and writes one batch at a time.
//
// No thread waits for the sink thread. If it is too slow, the rings fill up and the hub counts
// dropped records.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "log/hub.hpp"
#include "sinks/line_buffer.hpp"
#include "sinks/line_format.hpp"
#include "sinks/log_output.hpp"
#include "sinks/stack_names.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Output that was not written.
struct WriteFailures {
  std::uint64_t failed_writes = 0;
  std::uint64_t lost_lines = 0;  // or records that a socket did not take; 0 with a spdlog sink
};

/// Threads: failures() and output() by any; everything else by one thread.
class LogWriter {
 public:
  /// How long a stop waits for a reader that takes nothing: 3 s. A slow reader still receives
  /// everything.
  static constexpr std::int64_t stop_timeout_ns = 3'000'000'000;
  /// How long everything is written after a stop has begun: 20 s; and lines of failures and other
  /// warnings and errors of actord: 30 s. What is left then is counted in records log.suppressed,
  /// and only what log::has_daemon_part() names is still written. So the last line comes before a
  /// service manager loses its patience.
  static constexpr std::int64_t write_all_ns = 20'000'000'000;
  static constexpr std::int64_t write_failures_ns = 30'000'000'000;

  /// `hub` outlives the writer. A hub has one writer at a time.
  LogWriter(log::Hub& hub, const LogWriterOptions& options);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Starts the thread. In it all signals are blocked but those that a fault raises.
  void start();
  /// Begins to stop and returns. Records emitted before the call are still written, for the times
  /// above and as long as the descriptor takes something. Losses are counted and reported on
  /// `error_fd`. Then `on_written` is called on the sink thread. If start() was not called,
  /// everything happens in this call. Further calls do nothing.
  void begin_stop(std::function<void()> on_written = {});
  /// Calls begin_stop() and waits for the end of the thread; nothing is written afterwards. Further
  /// calls do nothing.
  void stop();
  /// stop() with a time limit; called once. Waits at most `ns`, a tenth of it for a reader that
  /// takes nothing; writes everything for half of it, and failures for a quarter more. False: the
  /// thread is still writing, and the caller must end the process.
  bool stop_within(std::int64_t ns);
  /// Writes pending records on the calling thread and returns their number. Only while no thread
  /// runs.
  std::size_t drain();

  /// Its files are opened again: another process has renamed them. Any thread. False: it has none.
  bool reopen_files() noexcept;

  WriteFailures failures() const noexcept;
  /// What its output is.
  const OutputChoice& output() const noexcept { return output_; }

 private:
  /// The output, or another place that gets the log.
  struct Place {
    log::Level level;  // and more severe ones
    std::unique_ptr<LineFormat> format;
    std::shared_ptr<spdlog::sinks::sink> sink;
    OwnSink* own;  // the same; null with a spdlog sink from the options
    LineBuffer batch;
  };

  void run();
  std::size_t drain_batches(bool everything);
  void take(const log::Record& record);
  void add_output(const LogWriterOptions& options);
  void write_batches();
  void write(Place& place);
  void set_timeout(std::int64_t ns) noexcept;
  // From when on only a part of the records is written; the earliest call counts.
  void hurry_from(std::int64_t failures_ns, std::int64_t reserved_ns) noexcept;
  void look_at_clock() noexcept;
  bool is_left_out(const log::Record& record) const noexcept;
  void append(const log::Record& record);
  void report_skipped();
  void finish();

  log::Hub& hub_;
  const std::size_t batch_bytes_;
  const OutputChoice output_;
  WallTime wall_;
  StackNames stack_names_;
  std::optional<RecordMask> mask_;
  LogHistory* const history_;
  std::vector<Place> places_;     // the output is the first, if there is one
  bool is_holding_back_ = false;  // a format has records that it has not written yet
  std::atomic<std::uint64_t> failed_batches_{0};
  // When it begins to leave out all but failures and reserved records, and all but the latter. Any
  // order of the two does, and the thread may see them late.
  std::atomic<std::int64_t> only_failures_from_ns_{INT64_MAX}, only_reserved_from_ns_{INT64_MAX};
  enum class Written : std::uint8_t { all, failures, reserved } written_ = Written::all;
  std::map<std::string, std::uint64_t, std::less<>> skipped_;  // records by event
  log::Record last_skipped_;                                   // without its texts
  // The release store to `is_stopping_` in begin_stop() pairs with the acquire load in run(): the
  // thread sees `on_written_`, which it calls at its end.
  std::atomic<bool> is_stopping_{false};
  bool is_stopped_ = false;
  std::function<void()> on_written_;
  std::promise<void> finished_;
  std::thread thread_;
};

}  // namespace actord::sinks
