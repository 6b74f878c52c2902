// SPDX-License-Identifier: Apache-2.0
//
// The priority of a record in the journal and in syslog.
//
//   2 critical   daemon.crashed
//   3 error      level error
//   4 warning    level warning
//   5 notice     level info, if the event tells of the daemon as a whole: its state, its
//                configuration, its clients, its plugins, its log (log::has_daemon_part)
//   6 info       level info
//   7 debug      level debug
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "log/backlog.hpp"
#include "log/log_record.hpp"

namespace actord::sinks {

/// A digit. `journalctl -p notice` so shows what an administrator did and what the daemon went
/// through, without the starts and stops of single actors.
inline char journal_priority(const log::Record& record) noexcept {
  constexpr std::string_view of_levels = "3467";
  const bool is_actords = record.kind == log::Class::lifecycle;
  if (is_actords && record.event == "daemon.crashed") return '2';
  if (is_actords && record.level == log::Level::info && log::has_daemon_part(record.event))
    return '5';
  return of_levels[static_cast<std::size_t>(record.level) & 3U];
}

/// "<3>": what a line for the journal's stream begins with (sd-daemon(3)).
inline constexpr std::size_t journal_prefix_size = 3;
inline std::array<char, journal_prefix_size> journal_prefix(char priority) noexcept {
  return {'<', priority, '>'};
}
/// The prefix of what actord writes on standard error because it cannot log it.
inline constexpr std::string_view journal_error_prefix = "<3>";

}  // namespace actord::sinks
