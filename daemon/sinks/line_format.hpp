// SPDX-License-Identifier: Apache-2.0
//
// Turns a record into a line. There is one implementation per log format.
#pragma once

#include <cstdint>

#include "log/log_record.hpp"
#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Threads: only the sink thread.
class LineFormat {
 public:
  virtual ~LineFormat() = default;
  /// Appends the record's line with its newline. `wall_ns` is the time since 1970 in UTC.
  virtual void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) = 0;
};

}  // namespace actord::sinks
