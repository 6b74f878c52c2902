// SPDX-License-Identifier: Apache-2.0
//
// Path expressions: a.b."c.d", as they stand for keys and inside ${…}.
//
// Dots split outside quotes only, numbers included; blanks inside belong to the element, blanks
// around the whole do not; an element may be empty only when it is quoted.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/lexer.hpp"

namespace actord::hocon {

/// Puts a path together from the tokens of an expression. Texts that lie in one piece are not
/// copied.
class PathBuilder {
 public:
  /// Texts that must be copied go to `arena`.
  explicit PathBuilder(std::pmr::memory_resource* arena) : arena_(arena) {}

  /// Forgets what came before.
  void start();

  /// Takes a token of kind word, quoted or blank, in the order of the text.
  void add(const Token& token);

  /// False when an element is empty without being quoted, or when there is no element at all.
  [[nodiscard]] bool finish();

  /// The elements. Only after finish() said yes, and until the next start().
  std::span<const std::string_view> elements() const { return elements_; }

 private:
  void add_piece(std::string_view piece);
  void end_element();

  std::pmr::memory_resource* arena_;
  std::vector<std::string_view> elements_;
  std::string_view current_;
  std::string_view blanks_;  // seen, but not yet known to be inside
  bool quoted_ = false;      // the current element has a quoted piece, so that it may be empty
  bool malformed_ = false;
};

/// "a.b.\"c d\"": the path as it is written in messages and looked up in the environment.
std::string to_text(std::span<const std::string_view> path);

/// A path given as a text of its own; nothing when it is none.
std::optional<std::vector<std::string>> parse_path(std::string_view text);

/// `key` as an element of a path: quoted where it must be.
std::string quoted_key(std::string_view key);

}  // namespace actord::hocon
