// SPDX-License-Identifier: Apache-2.0
//
// The last lines of the log as JSON, for those who ask the running daemon. actord's own events and
// what the authors of plugins write have a limit each, so that no chatter pushes out a failure.
//
// Not here: how the events outlive the process (history_file.hpp), and who asks (app).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/sync.hpp"
#include "log/log_record.hpp"
#include "sinks/json_lines.hpp"
#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Threads: add() by the sink thread; everything else by any. A reader copies lines under the lock
/// for which the sink thread waits, so it takes a part at a time.
class LogHistory {
 public:
  struct Line {
    std::uint64_t number = 0;  // ascending; gaps are possible
    std::string text;          // an object of schema "actord.log/2", without a newline
  };
  enum class Part : std::uint8_t {
    events,  // what actord itself writes at info or above
    all
  };

  /// Keeps some `bytes` of events, and an eighth of that of other lines.
  LogHistory(const JsonEnvelope& envelope, std::size_t bytes);

  /// Adds the line of a record, whose secrets are masked. Without memory for it there is a gap.
  void add(const log::Record& record, std::int64_t wall_ns) noexcept;
  /// Puts events of earlier runs, in the order of their time, before all others. Returns the number
  /// of the last one.
  std::uint64_t load(std::vector<std::string> texts);

  /// The lines behind the line `after`, in order, until their texts have some `bytes`. 0: from the
  /// first one that is kept.
  std::vector<Line> lines_after(std::uint64_t after, Part part, std::size_t bytes) const;
  /// The number of the last line; 0 if there was none.
  std::uint64_t last_number() const;
  /// Waits until there is an event behind the line `after`, at most for `at_most` or until
  /// interrupt().
  bool wait_for_event(std::uint64_t after, std::chrono::milliseconds at_most);
  /// Waits until this run has logged an event of that name, at most for `at_most` or until
  /// interrupt().
  bool wait_for_event_named(std::string_view name, std::chrono::milliseconds at_most);
  /// Waits for `time`, or until interrupt().
  void pause(std::chrono::milliseconds time);
  /// Ends waits, present and future ones.
  void interrupt();

 private:
  struct Ring {
    std::deque<Line> lines;
    std::size_t bytes = 0;
    std::size_t bytes_max = 0;

    void append(Line line);
    void drop_oldest();
  };

  // Lines of earlier runs are numbered downwards from there.
  static constexpr std::uint64_t first_number = std::uint64_t{1} << 32;

  JsonLines format_;  // used by the sink thread, as is the next one
  LineBuffer scratch_;

  mutable base::Mutex mutex_;  // guards what follows
  base::Condition changed_;
  Ring events_, others_;
  std::uint64_t last_number_ = first_number - 1;
  bool is_interrupted_ = false;
};

}  // namespace actord::sinks
