// SPDX-License-Identifier: Apache-2.0
#include "hocon/masked_line.hpp"

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view ellipsis = "\u2026";
constexpr std::string_view punctuation = " \t,:=+{}[]";
constexpr std::string_view before_value = " \t:=+{[";
constexpr std::string_view after_value = " \t,{[}]";

struct Piece {
  std::size_t begin;
  std::size_t end;
};

/// Copies pieces of a line, and remembers where the finding's first byte is in the copy.
class Masker {
 public:
  Masker(std::string_view line, const Piece& finding) : line_(line), finding_(finding) {}

  void quote(std::size_t begin, std::size_t end) {
    if (finding_.begin >= begin && finding_.begin < end) {
      column_ = column_of(out_) + column_of(line_.substr(begin, finding_.begin - begin));
      length_ =
          column_of(line_.substr(finding_.begin, std::min(finding_.end, end) - finding_.begin));
    }
    out_.append(line_.substr(begin, end - begin));
  }

  /// What lies before, between or behind keys. `is_first`: from the beginning of the line.
  void mask(std::size_t begin, std::size_t end, bool is_first) {
    const std::string_view gap = line_.substr(begin, end - begin);
    if (gap.find_first_not_of(punctuation) == gap.npos) return quote(begin, end);
    const std::size_t value = begin + gap.find_first_not_of(is_first ? " \t{[" : before_value);
    const std::size_t rest = begin + std::max(gap.find_last_not_of(after_value) + 1, value - begin);
    quote(begin, value);
    if (finding_.begin >= value && finding_.begin < rest) column_ = column_of(out_), length_ = 1;
    out_.append(ellipsis);
    quote(rest, end);
  }

  MaskedLine take() {
    // The finding is behind the end of the line.
    if (column_ == unknown) column_ = column_of(out_), length_ = 1;
    return {std::move(out_), static_cast<unsigned>(column_ + 1), static_cast<unsigned>(length_)};
  }

 private:
  static constexpr std::size_t unknown = ~std::size_t{0};

  static std::size_t column_of(std::string_view before) { return base::utf8::length(before); }

  const std::string_view line_;
  const Piece finding_;
  std::string out_;
  std::size_t column_ = unknown;
  std::size_t length_ = 1;
};

/// Finds pieces of a line by their columns, in the order of the columns.
class PieceFinder {
 public:
  explicit PieceFinder(std::string_view line) : line_(line) {}

  Piece at(std::uint32_t column, std::uint32_t length) {
    begin_ += base::utf8::offset_of(line_.substr(begin_), column - column_);
    column_ = column;
    return {begin_, begin_ + base::utf8::offset_of(line_.substr(begin_), length)};
  }

 private:
  const std::string_view line_;
  std::size_t begin_ = 0;
  std::uint32_t column_ = 1;
};

}  // namespace

MaskedLine masked_line(const SourceFiles& files, const SourceSpan& span, QuotedPiece quoted) {
  const std::string_view line = files.line(span.at);
  if (line.empty() || span.at.column == 0) return {};
  const Piece finding = PieceFinder(line).at(span.at.column, std::max(span.length, 1U));
  std::vector<Piece> shown;
  PieceFinder finder(line);
  for (const KeyPlace& key : files.keys_in_line(span.at))
    shown.push_back(finder.at(key.column, key.length));
  if (quoted == QuotedPiece::yes && finding.begin < finding.end) shown.push_back(finding);
  std::ranges::sort(shown, {}, &Piece::begin);
  Masker masker(line, finding);
  std::size_t at = 0;
  for (const Piece& piece : shown) {
    if (piece.begin < at) continue;  // the finding is about a key
    masker.mask(at, piece.begin, at == 0);
    masker.quote(piece.begin, piece.end);
    at = piece.end;
  }
  masker.mask(at, line.size(), at == 0);
  return masker.take();
}

}  // namespace actord::hocon
