// SPDX-License-Identifier: Apache-2.0
//
// Lines of the log, which the daemon sends as JSON, as people read them: as on its console.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "ctl/output_terminal.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// Prints lines in order.
class LogText {
 public:
  /// `terminal` is that of `out`, or null.
  explicit LogText(std::ostream& out, OutputTerminal* terminal = nullptr)
      : out_(out), terminal_(terminal) {}

  /// "10:32:01.123 ERROR actor.failed /user/x net::Timeout: no route → restart …", in local time;
  /// before it the date, if that is another than before and not today's. Fields that say more about
  /// an actor than about the event are left out.
  void print(const wire::Json& line);

 private:
  std::ostream& out_;
  OutputTerminal* const terminal_;
  std::string date_;  // of the last line; empty: there was none
};

/// The time of a line as "2024-05-01 10:32:01.123", in local time.
std::string local_time(const wire::Json& line);
/// The same since 1970, in ms and in us.
std::uint64_t wall_ms(const wire::Json& line);
std::uint64_t wall_us(const wire::Json& line);

}  // namespace actord::ctl
