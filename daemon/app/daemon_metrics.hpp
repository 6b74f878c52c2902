// SPDX-License-Identifier: Apache-2.0
//
// The figures of the daemon for those who draw and watch them.
//
// Not here: their form (metrics_text.hpp), and HTTP (http_answers.hpp).
#pragma once

#include <cstdint>
#include <string>

namespace actord::config {
class Isolation;
}  // namespace actord::config

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::sinks {
class LogWriter;
}  // namespace actord::sinks

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

class MetricsText;
class Reloader;

/// Threads: only the event loop's.
class DaemonMetrics {
 public:
  /// So many configured actors have a sample of their own.
  static constexpr std::size_t actors_max = 1000;
  /// So many circuit breakers have samples, eight each; the names decide.
  static constexpr std::size_t breakers_max = 250;

  /// All of them outlive this object. `started_wall_ns`: since 1970.
  DaemonMetrics(system::ActorSystem& actors, const Reloader& reloader, const log::Hub& hub,
                const sinks::LogWriter& writer, const config::Isolation& isolation,
                std::int64_t started_wall_ns) noexcept
      : actors_(actors),
        reloader_(reloader),
        hub_(hub),
        writer_(writer),
        isolation_(isolation),
        started_wall_ns_(started_wall_ns) {}

  void write(MetricsText& text) const;

 private:
  void write_process(MetricsText& text) const;
  void write_actors(MetricsText& text) const;
  void write_counts(MetricsText& text) const;
  void write_messages(MetricsText& text) const;
  void write_breakers(MetricsText& text) const;
  void write_journal(MetricsText& text) const;
  void write_workers(MetricsText& text) const;
  void write_log(MetricsText& text) const;
  void write_reloads(MetricsText& text) const;

  system::ActorSystem& actors_;
  const Reloader& reloader_;
  const log::Hub& hub_;
  const sinks::LogWriter& writer_;
  const config::Isolation& isolation_;
  const std::int64_t started_wall_ns_;
};

}  // namespace actord::app
