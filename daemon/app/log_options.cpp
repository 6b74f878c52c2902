// SPDX-License-Identifier: Apache-2.0
#include "app/log_options.hpp"

namespace actord::app {

namespace {

sinks::Format format_of(schema::LogFormat format) {
  switch (format) {
    case schema::LogFormat::json: return sinks::Format::json;
    case schema::LogFormat::console: return sinks::Format::console;
    case schema::LogFormat::journald: return sinks::Format::journald;
    case schema::LogFormat::automatic: break;
  }
  return sinks::Format::automatic;
}

}  // namespace

sinks::LogWriterOptions log_options_of(const settings::Settings& settings) {
  sinks::LogWriterOptions options;
  options.format = format_of(settings.log.format);
  options.is_verbose = settings.log.is_verbose;
  options.system_name = settings.name;
  for (const settings::LogFileSettings& each : settings.log.files)
    options.files.push_back({each.path, format_of(each.format), each.level,
                             static_cast<std::uint64_t>(each.rotate_bytes),
                             static_cast<unsigned>(each.keep)});
  return options;
}

}  // namespace actord::app
