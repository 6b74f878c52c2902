// SPDX-License-Identifier: Apache-2.0
//
// Lines for the journal's stream: each begins with its priority, "<3>" (sd-daemon(3)). The journal
// takes the prefix off.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sinks/journal_priority.hpp"
#include "sinks/line_format.hpp"

namespace actord::sinks {

/// Another format with prefixes. The other format appends one line for each record.
class PriorityLines final : public LineFormat {
 public:
  explicit PriorityLines(std::unique_ptr<LineFormat> lines) : lines_(std::move(lines)) {}

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override {
    const auto prefix = journal_prefix(journal_priority(record));
    out.append(std::string_view(prefix.data(), prefix.size()));
    lines_->append(out, record, wall_ns);
  }

 private:
  const std::unique_ptr<LineFormat> lines_;
};

}  // namespace actord::sinks
