// SPDX-License-Identifier: Apache-2.0
#include "sinks/syslog_lines.hpp"

#include <utility>

#include "sinks/journal_priority.hpp"
#include "sinks/line_text.hpp"
#include "sinks/sized_text.hpp"

namespace actord::sinks {

SyslogLines::SyslogLines(std::unique_ptr<LineFormat> lines, unsigned facility, std::int64_t pid)
    : lines_(std::move(lines)),
      facility_(facility),
      tag_(" actord[" + std::to_string(pid) + "]: ") {}

void SyslogLines::append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) {
  const std::size_t begin = begin_sized(out);
  const auto severity = static_cast<unsigned>(journal_priority(record) - '0');
  out.append('<');
  out.end_at(put_natural(out.reserve(number_max), facility_ * 8 + severity));
  out.append('>');
  out.append(time_(wall_ns));
  out.append(tag_);
  lines_->append(out, record, wall_ns);
  out.rewind(out.size() - 1);  // the newline
  end_sized(out, begin);
}

}  // namespace actord::sinks
