// SPDX-License-Identifier: Apache-2.0
//
// Columns of text, each as wide as its widest cell, below a line of titles.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace actord::ctl {

class TextTable {
 public:
  struct Column {
    enum class Align : std::uint8_t { left, right };

    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell for each column; UTF-8, in which each code point takes one place.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool is_empty() const noexcept { return rows_.empty(); }

  /// Prints the titles and the rows. Lines are cut after `columns_max` places, if it is not 0.
  void print(std::ostream& out, std::size_t columns_max = 0) const;

 private:
  std::string line_of(const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace actord::ctl
