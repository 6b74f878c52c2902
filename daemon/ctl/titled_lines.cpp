// SPDX-License-Identifier: Apache-2.0
#include "ctl/titled_lines.hpp"

#include <ostream>
#include <string>

#include "sinks/line_text.hpp"

namespace actord::ctl {

std::string in_one_line(std::string_view text) {
  sinks::LineBuffer escaped;
  sinks::append_console_escaped(escaped, text, false);
  return std::string{escaped.view()};
}

void print_titled(std::ostream& out, std::string_view title, std::string_view text) {
  constexpr std::size_t indent = 2, width = 12, columns = 78 - indent - width;
  if (text.empty()) return;
  const std::string escaped = in_one_line(text);
  std::string_view content = escaped;
  out << "  " << title << std::string(width - title.size(), ' ');
  while (content.size() > columns) {
    const std::size_t comma = content.substr(0, columns).rfind(", ");
    if (comma == content.npos) break;
    out << content.substr(0, comma + 1) << '\n' << std::string(indent + width, ' ');
    content.remove_prefix(comma + 2);
  }
  out << content << '\n';
}

}  // namespace actord::ctl
