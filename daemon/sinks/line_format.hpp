// SPDX-License-Identifier: Apache-2.0
//
// What turns a record into a line. One implementation per format of the log.
#pragma once

#include <cstdint>

#include "log/log_record.hpp"
#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Sink thread only.
class LineFormat {
 public:
  virtual ~LineFormat() = default;
  /// Appends the record's line, with its end. `wall_ns` counts from 1970 in UTC.
  virtual void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) = 0;
};

}  // namespace actord::sinks
