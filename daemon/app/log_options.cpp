// SPDX-License-Identifier: Apache-2.0
#include "app/log_options.hpp"

namespace actord::app {

namespace {

sinks::Format format_of(schema::LogFormat format) {
  switch (format) {
    case schema::LogFormat::json: return sinks::Format::json;
    case schema::LogFormat::console: return sinks::Format::console;
    case schema::LogFormat::journald: return sinks::Format::journald;
    case schema::LogFormat::off: return sinks::Format::off;
    case schema::LogFormat::automatic: break;
  }
  return sinks::Format::automatic;
}

sinks::LogSink sink_of(const settings::LogSinkSettings& settings,
                       const sinks::LogWriterOptions& options) {
  sinks::LogSink sink;
  sink.level = settings.level;
  sink.format = format_of(settings.format);
  switch (settings.type) {
    case schema::LogSinkType::file:
      sink.type = sinks::SinkType::file;
      sink.path = settings.path;
      sink.rotate_bytes = static_cast<std::uint64_t>(settings.rotate_bytes);
      sink.keep = static_cast<unsigned>(settings.keep);
      break;
    case schema::LogSinkType::syslog:
      sink.type = sinks::SinkType::syslog;
      sink.path = settings.socket.empty() ? "/dev/log" : settings.socket;
      sink.facility = settings.facility;
      break;
    case schema::LogSinkType::journald:
      sink.type = sinks::SinkType::journald;
      sink.path = settings.socket.empty() ? options.journal_socket : settings.socket;
      break;
  }
  return sink;
}

}  // namespace

sinks::LogWriterOptions log_options_of(const settings::Settings& settings) {
  sinks::LogWriterOptions options;
  options.format = format_of(settings.log.format);
  options.is_verbose = settings.log.is_verbose;
  options.system_name = settings.name;
  options.level = settings.log.output_level;
  for (const settings::LogSinkSettings& each : settings.log.sinks)
    options.sinks.push_back(sink_of(each, options));
  return options;
}

log::HubOptions hub_options_of(const settings::Settings& settings) {
  log::HubOptions wanted;
  wanted.level = settings.log.level;
  return wanted;
}

}  // namespace actord::app
