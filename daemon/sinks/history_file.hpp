// SPDX-License-Identifier: Apache-2.0
//
// Keeps the events of a LogHistory in files, so that they outlive the process: events.jsonl, and
// before it events.1.jsonl. When the first has half of the size that both may have, it replaces the
// second. Each line is a line of the log, with its schema and the id of its run.
//
// Events are written at most a tenth of a second after they were logged, on a thread of its own, so
// that a disk that does not answer delays nothing else. What is written survives kill -9, but is
// not forced onto the disk.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <thread>

#include "os/descriptor.hpp"
#include "sinks/log_history.hpp"

namespace actord::sinks {

/// Threads: one, which makes it and stops it.
class HistoryFile {
 public:
  /// Eight lines of the longest kind.
  static constexpr std::size_t bytes_least = 8 * JsonLines::line_max;

  struct Options {
    std::string directory;  // is created if it does not exist
    std::size_t bytes_max;  // of both files; at least bytes_least
    /// Called on the thread of this object, or in its constructor, when the files cannot be
    /// written, once until they can be again. The events are kept for a later attempt as long as
    /// the history has them.
    std::function<void(const std::string& what)> on_error;
    std::chrono::milliseconds retry_after{10'000};
    /// Has the descriptor of the file while it is open for appending, else -1: a crash of the
    /// process can append its record. Null, or outlives this object.
    std::atomic<int>* open_file = nullptr;
  };

  /// Puts what earlier runs have left into `history`, and begins to write. No other process uses
  /// the directory.
  HistoryFile(LogHistory& history, Options options);
  /// Waits for the thread.
  ~HistoryFile();
  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  /// Writes what is left and ends; waits at most `at_most`. False: the thread is still writing, and
  /// neither this object nor the history can be destroyed.
  bool stop_within(std::chrono::milliseconds at_most);

 private:
  void begin_stop();
  std::string path(int age) const;
  void load();
  void run();
  bool write_new_events();
  void look_at_file();
  bool open_file();
  void close_file();
  bool write_text(std::string_view text);
  void fail(const std::string& doing, int error);

  LogHistory& history_;
  const Options options_;
  // What follows is used by the thread only.
  std::uint64_t written_ = 0;  // the number of the last event in the files
  os::Descriptor file_;
  std::size_t size_ = 0;  // of the file
  bool has_failed_ = false;

  std::atomic<bool> is_stopping_{false};  // relaxed: LogHistory::interrupt() follows the store
  std::promise<void> finished_;
  std::future<void> ended_;
  std::thread thread_;
};

}  // namespace actord::sinks
