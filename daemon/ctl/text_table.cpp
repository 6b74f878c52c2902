// SPDX-License-Identifier: Apache-2.0
#include "ctl/text_table.hpp"

#include <algorithm>
#include <ostream>

#include "base/assert.hpp"
#include "base/utf8.hpp"

namespace actord::ctl {

namespace utf8 = base::utf8;

namespace {

constexpr std::string_view gap = "  ";

}  // namespace

std::string TextTable::line_of(const std::vector<std::string>& cells,
                               const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) line += gap;
    const std::string padding(widths[i] - utf8::length(cells[i]), ' ');
    line += columns_[i].align == Column::Align::right ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void TextTable::print(std::ostream& out, std::size_t columns_max) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(utf8::length(column.title));
  }
  for (const auto& row : rows_) {
    ACTORD_ASSERT(row.size() == widths.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], utf8::length(row[i]));
  }
  const auto print_line = [&](const std::vector<std::string>& cells) {
    const std::string line = line_of(cells, widths);
    out << line.substr(0, columns_max == 0 ? line.npos : utf8::offset_of(line, columns_max))
        << '\n';
  };
  print_line(titles);
  for (const auto& row : rows_) print_line(row);
}

}  // namespace actord::ctl
