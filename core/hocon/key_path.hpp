// SPDX-License-Identifier: Apache-2.0
//
// Path expressions, such as a.b."c.d", as they appear as keys and inside ${…}.
//
// Dots separate elements outside quotes only, in numbers too. Blanks inside an element belong to
// it; blanks around the whole path do not. An element may be empty only if it is quoted.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/lexer.hpp"

namespace actord::hocon {

/// Builds a path from the tokens of an expression. A text that lies in one piece is not copied.
class PathBuilder {
 public:
  /// Texts that must be copied are stored in `arena`.
  explicit PathBuilder(std::pmr::memory_resource* arena) : arena_(arena) {}

  /// Starts a new path.
  void start();

  /// Adds a token of kind word, quoted or blank, in the order of the text.
  void add(const Token& token);

  /// False if an element is empty without quotes, or if there is no element.
  [[nodiscard]] bool finish();

  /// The elements; valid after finish() returned true, until the next start().
  std::span<const std::string_view> elements() const { return elements_; }

 private:
  void add_piece(std::string_view piece);
  void end_element();

  std::pmr::memory_resource* arena_;
  std::vector<std::string_view> elements_;
  std::string_view current_;
  std::pmr::string* joined_ = nullptr;  // holds the current element if its pieces lie apart
  std::string_view blanks_;             // read, but perhaps at the end of the path
  bool quoted_ = false;  // the current element has a quoted piece, so that it may be empty
  bool malformed_ = false;
};

/// The path as text, such as a.b."c d", for messages and for look-ups in the environment.
std::string to_text(std::span<const std::string_view> path);

/// Parses a path from a text of its own; nothing if it is none.
std::optional<std::vector<std::string>> parse_path(std::string_view text);

/// `key` as an element of a path, quoted where necessary.
std::string quoted_key(std::string_view key);

}  // namespace actord::hocon
