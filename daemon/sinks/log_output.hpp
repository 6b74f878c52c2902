// SPDX-License-Identifier: Apache-2.0
//
// Decides what the log is written as, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/json_lines.hpp"
#include "sinks/line_format.hpp"
#include "sinks/secret_mask.hpp"

namespace spdlog::sinks {
class sink;
}  // namespace spdlog::sinks

namespace actord::sinks {

class LogHistory;
class OwnSink;

/// automatic: console on a terminal, journald on the journal's stream, otherwise json. journald: as
/// automatic if the journal's socket cannot be used. off: nothing is written.
enum class Format : std::uint8_t { automatic, json, console, journald, off };
/// automatic: coloured on a terminal, see Terminal::has_colours().
enum class Colour : std::uint8_t { automatic, always, never };

/// The format named "auto", "json", "console", "journald" or "off".
std::optional<Format> format_named(std::string_view name) noexcept;

enum class SinkType : std::uint8_t { file, syslog, journald };

/// A place that gets the log, besides the output.
struct LogSink {
  SinkType type = SinkType::file;
  std::string path;                      // of the file or of the socket
  Format format = Format::json;          // json or console; without a meaning for journald
  log::Level level = log::Level::debug;  // and more severe ones
  std::uint64_t rotate_bytes = 0;        // file: as in FileSinkOptions
  unsigned keep = 0;                     // file
  unsigned facility = 3;                 // syslog: as in SyslogLines
};

struct LogWriterOptions {
  Format format = Format::automatic;
  log::Level level = log::Level::debug;  // of the output
  Colour colour = Colour::automatic;
  // console: each record in full, on a terminal, too; otherwise see TerminalLines
  bool is_verbose = false;
  std::string system_name;
  std::string boot_id;
  int fd = 1;         // owned by the caller
  int error_fd = -1;  // see FdSink; not used with `sink`
  /// The value of JOURNAL_STREAM, see journal_stream.hpp; empty: not set.
  std::string journal_stream;
  std::string journal_socket = "/run/systemd/journal/socket";
  // a batch is written when it reaches this size, or when no record is left
  std::size_t batch_bytes = 64 * 1024;
  /// Used instead of `fd` and the journal: any spdlog sink. It receives complete lines, and its
  /// formatter is replaced.
  std::shared_ptr<spdlog::sinks::sink> sink;
  std::vector<LogSink> sinks;
  /// What it masks is in no line. It outlives the writer; null: nothing is masked.
  const SecretMask* mask = nullptr;
  /// Gets every line that is written. It outlives the writer; null: there is none.
  LogHistory* history = nullptr;
  /// Time in ns since 1970; empty: the system clock.
  std::function<std::int64_t()> wall_clock;
};

/// The members that are the same in all records of this process.
JsonEnvelope envelope_of(const LogWriterOptions& options);

/// What the output is.
enum class Output : std::uint8_t {
  console,        // lines for people, to the descriptor
  json,           // JSON lines, to the descriptor
  priority_json,  // JSON lines with priorities, to the journal's stream
  journal,        // entries, to the journal's socket
  none,
};

struct OutputChoice {
  Output output = Output::json;
  /// errno if the log was to go to the journal's socket, which cannot be used; else 0.
  int journal_error = 0;
};

/// Connects to the journal's socket for a moment if the log is to go there.
OutputChoice choose_output(const LogWriterOptions& options);

/// The format and the sink of the output, which is not Output::none.
std::unique_ptr<LineFormat> make_format(const LogWriterOptions& options, Output output);
std::shared_ptr<OwnSink> make_sink(const LogWriterOptions& options, Output output);
/// The same of another place.
std::unique_ptr<LineFormat> make_format(const LogWriterOptions& options, const LogSink& sink);
std::shared_ptr<OwnSink> make_sink(const LogWriterOptions& options, const LogSink& sink);

}  // namespace actord::sinks
