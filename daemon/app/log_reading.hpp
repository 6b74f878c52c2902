// SPDX-License-Identifier: Apache-2.0
//
// Reads the log's history for operators: a part of it at a time, so that the event loop goes on.
//
// Not here: what the history keeps (sinks/log_history.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "log/log_record.hpp"
#include "sinks/log_history.hpp"
#include "wire/control_message.hpp"

namespace actord::app {

/// Which lines are wanted; by default all.
struct LogFilter {
  std::uint64_t after = 0;  // the number of a line, behind which reading begins
  sinks::LogHistory::Part part = sinks::LogHistory::Part::all;
  log::Level level = log::Level::debug;
  std::vector<std::string> events;  // names, or beginnings of names with a `*` behind
  std::string actor;                // the path of an actor: also those below it; empty: all
  std::string failure;              // the id of a failure that the line names; empty: all
  std::string trace;                // the id of a trace that the line belongs to; empty: all
  std::string since, until;         // "2024-05-01T10:32:01.123456Z"; empty: no limit

  bool has_event(std::string_view name) const noexcept;
};

/// The filter that a request asks for. The error is what the arguments may be.
base::Result<LogFilter> read_filter(const wire::Json& arguments);

/// {"lines": [objects], "next": number of the last line that was looked at, "is_end": whether there
/// is none behind it}. Some 2 ms.
wire::Json read_log(const sinks::LogHistory& history, const LogFilter& filter);

}  // namespace actord::app
