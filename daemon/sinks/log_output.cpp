// SPDX-License-Identifier: Apache-2.0
#include "sinks/log_output.hpp"

#include <unistd.h>

#include <utility>

#include "sinks/console_lines.hpp"
#include "sinks/datagram_sink.hpp"
#include "sinks/fd_sink.hpp"
#include "sinks/file_sink.hpp"
#include "sinks/journal_entries.hpp"
#include "sinks/journal_priority.hpp"
#include "sinks/journal_stream.hpp"
#include "sinks/journal_writer.hpp"
#include "sinks/priority_lines.hpp"
#include "sinks/syslog_lines.hpp"
#include "sinks/syslog_writer.hpp"
#include "sinks/terminal.hpp"
#include "sinks/terminal_lines.hpp"

namespace actord::sinks {
namespace {

/// How long one batch waits for the reader of a socket beside the output, so that it cannot hold up
/// the others for long: 500 ms. A syslog daemon that is alive takes its queue within that.
constexpr std::int64_t batch_wait_ns = 500'000'000;

std::unique_ptr<LineFormat> console_format(const LogWriterOptions& options) {
  const Terminal terminal(options.sink == nullptr ? options.fd : -1);
  const bool is_coloured = options.colour == Colour::always ||
                           (options.colour == Colour::automatic && terminal.has_colours());
  if (!terminal.is_terminal() || options.is_verbose)
    return std::make_unique<ConsoleLines>(is_coloured);
  return std::make_unique<TerminalLines>(TerminalLinesOptions{
      .is_coloured = is_coloured, .can_rewrite = terminal.can_rewrite(), .columns = [terminal] {
        return terminal.columns();
      }});
}

std::string_view error_prefix_of(const LogWriterOptions& options) {
  return is_journal_stream(options.error_fd, options.journal_stream) ? journal_error_prefix : "";
}

}  // namespace

std::optional<Format> format_named(std::string_view name) noexcept {
  if (name == "auto") return Format::automatic;
  if (name == "json") return Format::json;
  if (name == "console") return Format::console;
  if (name == "journald") return Format::journald;
  if (name == "off") return Format::off;
  return std::nullopt;
}

JsonEnvelope envelope_of(const LogWriterOptions& options) {
  return {options.system_name, options.boot_id, ::getpid()};
}

OutputChoice choose_output(const LogWriterOptions& options) {
  if (options.format == Format::off) return {Output::none};
  if (options.format == Format::json) return {Output::json};
  if (options.format == Format::console) return {Output::console};
  if (options.sink != nullptr) return {Output::json};
  const bool is_stream = is_journal_stream(options.fd, options.journal_stream);
  OutputChoice choice;
  if (options.format == Format::journald || is_stream) {
    choice.journal_error = JournalWriter(options.journal_socket).error();
    if (choice.journal_error == 0) return {Output::journal};
  }
  choice.output = is_stream                            ? Output::priority_json
                  : Terminal(options.fd).is_terminal() ? Output::console
                                                       : Output::json;
  return choice;
}

std::unique_ptr<LineFormat> make_format(const LogWriterOptions& options, Output output) {
  const JsonEnvelope envelope = envelope_of(options);
  switch (output) {
    case Output::console: return console_format(options);
    case Output::journal: return std::make_unique<JournalEntries>(envelope);
    case Output::priority_json:
      return std::make_unique<PriorityLines>(std::make_unique<JsonLines>(envelope));
    case Output::json:
    case Output::none: break;
  }
  return std::make_unique<JsonLines>(envelope);
}

std::shared_ptr<OwnSink> make_sink(const LogWriterOptions& options, Output output) {
  const std::string_view prefix = error_prefix_of(options);
  if (output != Output::journal)
    return std::make_shared<FdSink>(options.fd, options.error_fd, prefix);
  return std::make_shared<DatagramSink<JournalWriter>>(
      DatagramSinkOptions{options.journal_socket, "the journal", options.error_fd, prefix});
}

std::unique_ptr<LineFormat> make_format(const LogWriterOptions& options, const LogSink& sink) {
  const JsonEnvelope envelope = envelope_of(options);
  if (sink.type == SinkType::journald) return std::make_unique<JournalEntries>(envelope);
  const bool is_syslog = sink.type == SinkType::syslog;
  std::unique_ptr<LineFormat> lines;
  if (sink.format == Format::json) {
    lines = std::make_unique<JsonLines>(envelope);
  } else {
    // The header of a syslog record has the time.
    const auto time = is_syslog ? ConsoleLines::Time::left_out : ConsoleLines::Time::shown;
    lines = std::make_unique<ConsoleLines>(false, time);
  }
  if (!is_syslog) return lines;
  return std::make_unique<SyslogLines>(std::move(lines), sink.facility, envelope.pid);
}

std::shared_ptr<OwnSink> make_sink(const LogWriterOptions& options, const LogSink& sink) {
  const std::string_view prefix = error_prefix_of(options);
  const auto to_socket = [&](const std::string& place) {
    return DatagramSinkOptions{sink.path, place, options.error_fd, prefix, batch_wait_ns};
  };
  switch (sink.type) {
    case SinkType::syslog:
      return std::make_shared<DatagramSink<SyslogWriter>>(to_socket("syslog (" + sink.path + ')'));
    case SinkType::journald:
      return std::make_shared<DatagramSink<JournalWriter>>(
          to_socket("the journal (" + sink.path + ')'));
    case SinkType::file: break;
  }
  return std::make_shared<FileSink>(
      FileSinkOptions{sink.path, sink.rotate_bytes, sink.keep, options.error_fd, prefix});
}

}  // namespace actord::sinks
