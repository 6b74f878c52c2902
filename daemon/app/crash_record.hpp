// SPDX-License-Identifier: Apache-2.0
//
// Writes one record when the process crashes: the signal, the actor with its plugin and message
// (supervision.md 97, 179j), or the plugin that was being loaded. The record has the form of the
// log, but it is written by the crashed thread itself. Records that the log still holds in memory
// are lost.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/call_stack.hpp"
#include "os/crash_handler.hpp"
#include "sinks/journal_entries.hpp"
#include "sinks/journal_writer.hpp"
#include "sinks/json_lines.hpp"
#include "sinks/log_output.hpp"

namespace actord::app {

/// While an object of this class lives, a crash of this process writes an event `daemon.crashed`.
/// Then the signal takes its default action.
///
///   * If the log goes to the journal's socket, the event is an entry there. It has a connection of
///     its own, so that no reconnection of the sink thread can interfere.
///   * Standard error gets a JSON line. Where it is the journal's stream, the line has the priority
///     of the event before it, and is left out if the journal has taken the entry.
///   * The log gets the JSON line if it is JSON and goes elsewhere. If the journal did not take the
///     entry, its stream gets the line there, too.
///   * The file of the log's history gets the JSON line, so that the next actord knows of it.
///   * The file for the next actord (CrashStore) gets the JSON line, and a second object with what
///     is needed to name the functions of the stack.
///
/// Threads: main thread; one object in a process. Worker threads call os::use_crash_stack().
class CrashRecord final : os::CrashReporter {
 public:
  CrashRecord(const sinks::LogWriterOptions& log, sinks::Output output);
  ~CrashRecord();
  /// For HistoryFile::Options::open_file.
  std::atomic<int>& history_file() noexcept { return history_file_; }
  /// From now on the file for the next actord is this one; -1: none. The caller keeps it open.
  void keep_in(int file) noexcept { kept_file_.store(file, std::memory_order_relaxed); }
  /// Code of a plugin ends the process by a call of exit(). Any thread, once.
  void keep_exit(log::Record record);
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

 private:
  /// Runs in the signal handler, so it uses neither locks nor the heap.
  void report(const os::Crash& crash) noexcept override;

  /// Fills texts_ with the calls of this thread, as "/usr/lib/x.so+0x12f0".
  void take_stack(const void* program_counter) noexcept;
  /// As in os::Crash.
  struct Cause {
    bool is_own = true, is_hang = false;
  };
  /// Writes the file for the next actord from its beginning.
  void keep(const log::Record& record, Cause cause, std::int64_t now_ns) noexcept;
  void write(const log::Record& record, std::int64_t now_ns) noexcept;
  bool send(const log::Record& record, std::int64_t now_ns) noexcept;

  /// A descriptor that gets the JSON line.
  struct Place {
    int fd = -1;  // -1: none
    bool is_journal_stream = false;
    // On a terminal there may be a line of progress, which is erased first.
    std::string_view before;
  };
  Place standard_error_, log_;
  std::atomic<int> history_file_{-1};  // relaxed: nothing else belongs to the number
  std::atomic<int> kept_file_{-1};     // the same
  const std::int64_t started_ns_;
  const std::string executable_;
  bool has_kept_ = false;  // the crash that is being reported
  // The stack of the crash, and its texts, which lie in `stack_text_`.
  os::CallStack stack_;
  std::array<std::string_view, os::CallStack::frames_max> texts_;
  std::size_t n_texts_ = 0;
  std::array<char, 8192> stack_text_;
  sinks::JsonLines lines_;
  sinks::JournalEntries entries_;
  std::optional<sinks::JournalWriter> journal_;
  sinks::LineBuffer buffer_;  // allocated in advance, because a signal handler cannot allocate
};

}  // namespace actord::app
