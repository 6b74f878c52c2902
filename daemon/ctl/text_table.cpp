// SPDX-License-Identifier: Apache-2.0
#include "ctl/text_table.hpp"

#include <algorithm>
#include <ostream>

#include "base/assert.hpp"

namespace actord::ctl {

namespace {

constexpr std::string_view gap = "  ";

bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::size_t places_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

/// The beginning of the line that has at most so many places.
std::string cut(const std::string& line, std::size_t most) {
  std::size_t places = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (begins_code_point(line[i]) && ++places > most) return line.substr(0, i);
  }
  return line;
}

}  // namespace

std::string TextTable::line_of(const std::vector<std::string>& cells,
                               const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) line += gap;
    const std::string padding(widths[i] - places_of(cells[i]), ' ');
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
    widths.push_back(places_of(column.title));
  }
  for (const auto& row : rows_) {
    ACTORD_ASSERT(row.size() == widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], places_of(row[i]));
  }
  const auto print_line = [&](const std::vector<std::string>& cells) {
    const std::string line = line_of(cells, widths);
    out << (columns_max == 0 ? line : cut(line, columns_max)) << '\n';
  };
  print_line(titles);
  for (const auto& row : rows_) print_line(row);
}

}  // namespace actord::ctl
