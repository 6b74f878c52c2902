// SPDX-License-Identifier: Apache-2.0
//
// The place of a text: a file, a line, a column; and the table of the files that were read.
//
// The table keeps the text of every file, so that a message can quote a line, and the places of its
// keys, because a message quotes nothing else of it (masked_line.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
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

/// A key, or something else that is no value: a substitution, an include statement.
struct KeyPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;  // in code points
};

/// One source: a file, or a text with a name of its own.
struct SourceFile {
  std::string name;
  std::string text;
  std::vector<std::size_t> steps = {};  // offsets of every lines_apart-th line
  std::vector<KeyPlace> keys = {};      // in the order of the text
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

  /// A parser has found a key there. Ignores a place before the last one, which is known already.
  void add_key(const SourceSpan& key);
  /// The keys in the line of `origin`.
  std::span<const KeyPlace> keys_in_line(const Origin& origin) const;

  /// The longest line that is given out, in bytes. It is read for each finding in it, and a line of
  /// many megabytes may have very many.
  static constexpr std::size_t line_max = 64 << 10;

  /// The line of `origin`, without its newline; empty if it is too long. It may contain secrets.
  std::string_view line(const Origin& origin) const;

  /// The text of a span, or "". It may contain secrets.
  std::string_view text(const SourceSpan& span) const;

 private:
  std::deque<SourceFile> files_;  // a deque, so that the texts do not move
};

}  // namespace actord::hocon
