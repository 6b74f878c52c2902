// SPDX-License-Identifier: Apache-2.0
//
// The place of a text: a file, a line, a column; and the table of the files that were read.
//
// The table keeps the text of every file, so that a message can quote a line.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace actord::hocon {

/// A place in a source. Lines and columns count from 1, columns in code points. File 0: no place.
struct Origin {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const noexcept { return file != 0; }
  friend bool operator==(const Origin&, const Origin&) = default;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// A piece of source that begins at `at`. `length` counts code points; the span ends with the line
/// at the latest.
struct SourceSpan {
  Origin at;
  std::uint32_t length = 0;
};

/// One source: a file, or a text with a name of its own.
struct SourceFile {
  std::string name;
  std::string text;
  std::vector<std::size_t> steps = {};  // offsets of every lines_apart-th line
};

/// The sources of one configuration, numbered from 1 in the order in which they were read.
///
/// Threads: filled by one thread, then only read.
class SourceFiles {
 public:
  std::uint32_t add(std::string name, std::string text);

  const SourceFile& operator[](std::uint32_t file) const { return files_[file - 1]; }
  std::size_t size() const noexcept { return files_.size(); }

  /// "name:line", or "" for an unknown origin.
  std::string text_of(const Origin& origin) const;

  /// Marks a line as secret; it is not shown any more. Does nothing for file 0 or line 0.
  void hide_line(std::uint32_t file, std::uint32_t line);
  bool is_hidden(std::uint32_t file, std::uint32_t line) const {
    return !hidden_.empty() && hidden_.contains(std::uint64_t{file} << 32U | line);
  }

  /// The same for a file by name; several files may have the name.
  bool is_hidden(std::string_view name, std::uint32_t line) const;

  /// The line of `origin`, without its newline; "" if it is hidden.
  std::string_view line(const Origin& origin) const;

  /// The text of a span, or "".
  std::string_view text(const SourceSpan& span) const;

 private:
  std::deque<SourceFile> files_;              // a deque, so that the texts do not move
  std::unordered_set<std::uint64_t> hidden_;  // file and line
};

}  // namespace actord::hocon
