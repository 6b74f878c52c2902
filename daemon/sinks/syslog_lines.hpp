// SPDX-License-Identifier: Apache-2.0
//
// Records for a syslog daemon, in the form that syslog(3) sends to the local socket (RFC 3164
// without the name of the host):
//
//   <28>Nov 26 19:20:01 actord[4711]: WARN  actor.restarted /user/x the actor was restarted
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Another format with such a header. The other format appends one line for each record. append()
/// writes a sized text (sized_text.hpp) without the newline.
class SyslogLines final : public LineFormat {
 public:
  /// `facility` is the number in RFC 3164: 3 is daemon.
  SyslogLines(std::unique_ptr<LineFormat> lines, unsigned facility, std::int64_t pid);

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

 private:
  const std::unique_ptr<LineFormat> lines_;
  const unsigned facility_;
  const std::string tag_;
  SyslogTime time_;
};

}  // namespace actord::sinks
