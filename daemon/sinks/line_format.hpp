// SPDX-License-Identifier: Apache-2.0
//
// Turns records into lines. There is one implementation per log format.
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

  /// Called after the records that were there, perhaps none. A format that holds records back
  /// appends what is due at `now_ns`, the hub's clock; everything if it `is_last`. True: it still
  /// holds some back, and wants to be called again soon.
  virtual bool end_batch(LineBuffer& out, std::int64_t now_ns, bool is_last) {
    static_cast<void>(out), static_cast<void>(now_ns), static_cast<void>(is_last);
    return false;
  }
};

}  // namespace actord::sinks
